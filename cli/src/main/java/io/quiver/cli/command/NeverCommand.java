package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import io.quiver.core.plan.report.CachePreference;
import picocli.CommandLine.Command;

/** Hold nothing of a data set: its jobs read the store. */
@Command(
    name = "never",
    description =
        "Hold nothing of a data set: its jobs read the store. What is held of it goes at once; quiver unpin takes it back. The manager"
            + " forgets it when it stops.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver never train.qdg",
      "  quiver never 0123456789abcdef",
      "",
      "With --json: {\"dataset\": key, \"preference\": \"pin\" | \"never\" | \"auto\"}"
    })
public final class NeverCommand extends PreferenceCommand {
  /** The command on a console. */
  public NeverCommand(Console console) {
    super(console, CachePreference.NEVER, "is not cached any more");
  }
}
