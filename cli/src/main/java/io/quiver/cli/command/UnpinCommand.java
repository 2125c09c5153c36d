package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import io.quiver.core.plan.report.CachePreference;
import picocli.CommandLine.Command;

/** Leave it to the planner again what is held of a data set, after pin or never. */
@Command(
    name = "unpin",
    description =
        "Leave it to the planner again what is held of a data set, after pin or never. A quota of it stays; see quiver quota. The manager"
            + " forgets it when it stops.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver unpin train.qdg",
      "  quiver unpin 0123456789abcdef",
      "",
      "With --json: {\"dataset\": key, \"preference\": \"pin\" | \"never\" | \"auto\"}"
    })
public final class UnpinCommand extends PreferenceCommand {
  /** The command on a console. */
  public UnpinCommand(Console console) {
    super(console, CachePreference.AUTO, "is the planner's again");
  }
}
