package io.quiver.cli.command;

import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells the manager what is wanted of a data set. */
abstract class PreferenceCommand extends Action {
  private final CachePreference preference;
  private final String done;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Parameters(
      paramLabel = "<digest>",
      description = "The data set: its digest file, or its key as quiver plan shows it.")
  private String dataset;

  PreferenceCommand(Console console, CachePreference preference, String done) {
    super(console);
    this.preference = preference;
    this.done = done;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    DatasetKey key = DatasetName.parse(dataset);
    String word = preference.name().toLowerCase(Locale.ROOT);
    try (ManagerClient client = new ManagerClient(manager.address(output.console()))) {
      client.post("/v1/datasets/" + key + "/preference", Map.of("preference", word));
    }
    if (output.json()) {
      output.document(new Preferred(key.text(), word));
    } else {
      output.line("data set " + key + " " + done);
    }
    return ExitCode.OK;
  }

  private record Preferred(String dataset, String preference) {}
}
