package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import io.quiver.core.plan.report.CachePreference;
import picocli.CommandLine.Command;

/** Hold all of a data set in the cache, before any other, as far as it fits. */
@Command(
    name = "pin",
    description =
        "Hold all of a data set in the cache, before any other, as far as it fits. It is brought in when a job reads it or quiver warm does, and stays when nobody does. The manager"
            + " forgets it when it stops.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver pin train.qdg",
      "  quiver pin 0123456789abcdef",
      "",
      "With --json: {\"dataset\": key, \"preference\": \"pin\" | \"never\" | \"auto\"}"
    })
public final class PinCommand extends PreferenceCommand {
  /** The command on a console. */
  public PinCommand(Console console) {
    super(console, CachePreference.PIN, "is pinned");
  }
}
