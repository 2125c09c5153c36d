package io.quiver.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands that work on spaces. */
@Command(
    name = "space",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description = "List and drop spaces, the parts a cache is divided into.",
    footerHeading = "%nExamples:%n",
    footer = {"  quiver space list", "  quiver space drop cats"})
public final class SpaceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "space list or space drop? See --help");
  }
}
