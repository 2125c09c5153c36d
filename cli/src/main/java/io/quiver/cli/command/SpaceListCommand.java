package io.quiver.cli.command;

import io.quiver.cli.cluster.ClusterState;
import io.quiver.cli.cluster.RunningCluster;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the spaces. */
@Command(
    name = "list",
    description = "List the spaces and their bytes.",
    footer = {
      "  quiver space list",
      "",
      "With --json: [{\"space\": name, \"blobs\": n, \"charged_bytes\": n, \"limit_bytes\": n or"
          + " null}…]"
    })
public final class SpaceListCommand extends Action {
  @Mixin private final ServerOptions servers = new ServerOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    try (RunningCluster cluster = servers.cluster(output.console())) {
      var spaces = ClusterState.of(cluster).spaces();
      if (output.json()) {
        output.document(spaces);
      } else {
        StateTables.spaces(spaces, output.console().outPaint()).forEach(output::line);
      }
    }
    return ExitCode.OK;
  }
}
