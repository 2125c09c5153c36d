package io.quiver.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands that work on ledgers. */
@Command(
    name = "ledger",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description =
        "Check and look at ledgers: files in which a job notes what each of its ranks delivered, so"
            + " that anybody can see afterwards that every epoch was exactly once.",
    footerHeading = "%nExamples:%n",
    footer = {"  quiver ledger verify job-*.qlg", "  quiver ledger show job-0.qlg"})
public final class LedgerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "ledger verify or show? See --help");
  }
}
