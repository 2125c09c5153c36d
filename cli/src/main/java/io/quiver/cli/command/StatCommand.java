package io.quiver.cli.command;

import io.quiver.cli.cluster.ClusterState;
import io.quiver.cli.cluster.RunningCluster;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how full the cache is and how well it serves. */
@Command(
    name = "stat",
    description = {
      "Show the state of the cache.",
      "Prints how full each server is, and its hits and misses."
    },
    footer = {
      "  quiver stat",
      "  quiver stat --watch              # every two seconds, until Ctrl-C",
      "  quiver stat --json | jq .totals.hit_ratio",
      "",
      "With --json: {\"totals\": {capacity_bytes, used_bytes, live_bytes, blobs, hits, misses,"
          + " hit_bytes,",
      "hit_ratio, warm_reads, cold_reads, corrupt_blobs, failures}, \"spaces\": [{space, blobs,",
      "charged_bytes, limit_bytes}…], \"servers\": [{uri, name, version, uptime_ms, connections,"
          + " usage,",
      "spaces}…]}; with --watch one line each time."
    })
public final class StatCommand extends Action {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Mixin private final ServerOptions servers = new ServerOptions();

  @Option(
      names = {"-w", "--watch"},
      arity = "0..1",
      fallbackValue = "2s",
      paramLabel = "<interval>",
      description = "Repeat every <interval> (2s if not given).")
  private @Nullable Duration watch;

  @Option(
      names = "--times",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "With --watch: number of repetitions (default: no end).")
  private long times;

  @Override
  ExitCode run(Output output) throws Exception {
    try (RunningCluster cluster = servers.cluster(output.console())) {
      show(cluster, output);
      for (long look = 1; watch != null && (times <= 0 || look < times); look++) {
        Thread.sleep(watch);
        show(cluster, output);
      }
    }
    return ExitCode.OK;
  }

  private void show(RunningCluster cluster, Output output) throws Exception {
    ClusterState state = ClusterState.of(cluster);
    if (output.json()) {
      output.document(state);
      return;
    }
    if (watch != null) {
      boolean redraw = output.console().outIsTerminal();
      output.line(
          (redraw ? CLEAR_SCREEN : "")
              + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
    }
    StateTables.lines(state, output.console().outPaint()).forEach(output::line);
    output.flush();
  }
}
