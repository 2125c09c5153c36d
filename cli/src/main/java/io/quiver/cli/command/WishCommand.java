package io.quiver.cli.command;

import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.plan.DatasetKey;
import io.quiver.core.plan.Wish;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells the manager what is wanted of a data set. */
abstract class WishCommand extends Action {
  private final Wish wish;
  private final String done;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Parameters(
      paramLabel = "<digest>",
      description = "The data set: its digest file, or its key as quiver plan shows it.")
  private String dataset;

  WishCommand(Console console, Wish wish, String done) {
    super(console);
    this.wish = wish;
    this.done = done;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    DatasetKey key = DatasetName.parse(dataset);
    String word = wish.name().toLowerCase(Locale.ROOT);
    try (ManagerClient client = new ManagerClient(manager.address(output.console()))) {
      client.post("/v1/datasets/" + key + "/wish", Map.of("wish", word));
    }
    if (output.json()) {
      output.document(new Wished(key.text(), word));
    } else {
      output.line("data set " + key + " " + done);
    }
    return ExitCode.OK;
  }

  private record Wished(String dataset, String wish) {}
}
