package io.quiver.cli.command;

import io.quiver.cli.cluster.ClusterState;
import io.quiver.cli.cluster.RunningCluster;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.space.SpaceId;
import io.quiver.report.ByteSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Drops a space. */
@Command(
    name = "drop",
    description = {
      "Drop a space on every server.",
      "Its blobs are removed unless they belong to another space as well."
    },
    footer = {"  quiver space drop cats", "", "With --json: {\"space\": name, \"freed_bytes\": n}"})
public final class SpaceDropCommand extends Action {
  @Mixin private final ServerOptions servers = new ServerOptions();

  @Parameters(paramLabel = "<name>", description = "Name of the space.")
  private SpaceId space;

  @Override
  ExitCode run(Output output) throws Exception {
    try (RunningCluster cluster = servers.cluster(output.console())) {
      long freed =
          ClusterState.drop(cluster, space)
              .orElseThrow(() ->
                  new CommandFailure(
                      ExitCode.NOT_FOUND,
                      "no space is called " + space + "; see quiver space list"));
      if (output.json()) {
        output.document(new Dropped(space.name(), freed));
      } else {
        output.line("dropped " + space + ", " + ByteSize.show(freed) + " free again");
      }
    }
    return ExitCode.OK;
  }

  private record Dropped(String space, long freedBytes) {}
}
