package io.quiver.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands that work on digests. */
@Command(
    name = "digest",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description =
        "Make, look at, check and compare digests: files that list a data set's items, with the"
            + " hash, size and place of each. Keep a digest to yourself: its hashes are the keys to"
            + " the data.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver digest create /data/train -o train.qdg",
      "  quiver digest show train.qdg",
      "  quiver digest verify train.qdg",
      "  quiver digest diff old.qdg new.qdg"
    })
public final class DigestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "digest create, show, verify or diff? See --help");
  }
}
