package io.quiver.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the benchmarks. */
@Command(
    name = "bench",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description =
        "Measure this machine: the cache beside other servers and beside what disks and network can"
            + " do. Everything runs on this machine and is removed afterwards.",
    footerHeading = "%nExamples:%n",
    footer = {"  quiver bench serve --quick", "  quiver bench serve --json"})
public final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "which benchmark? See --help");
  }
}
