package io.quiver.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command without a sub-command: shows what there is. */
@Command(
    name = "quiver",
    synopsisSubcommandLabel = "COMMAND",
    description = "A cache that keeps GPUs fed with training data.",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver demo                                # see what it is for, in two minutes",
      "  quiver up                                  # a cache on this machine",
      "  quiver put picture.jpg                     # prints the blob's name",
      "  quiver digest create /data/train -o train.qdg",
      "  quiver job --digest train.qdg              # a training job without a GPU",
      "  quiver COMMAND --help                      # options and examples of a command"
    })
final class QuiverCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no command; see quiver --help");
  }
}
