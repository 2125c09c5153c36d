package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Makes a store as slow as a distant one, to see what that does to a job. */
final class SlowStoreOptions {
  private static final double MEGA = 1e6;

  @Option(
      names = "--store-mbps",
      paramLabel = "<n>",
      description = "Bound on the megabytes per second that are read, to act as a slower store.")
  private @Nullable Double megabytes;

  @Option(
      names = "--store-latency-ms",
      paramLabel = "<n>",
      description = "Milliseconds added to every read, to act as a distant store.")
  private @Nullable Double latencyMs;

  /** Returns the store, slowed down if that was asked for; closing it closes the one behind. */
  RemoteStore slowed(RemoteStore store) throws CommandFailure {
    if (megabytes == null && latencyMs == null) {
      return store;
    }
    double rate = megabytes == null ? Long.MAX_VALUE / MEGA : megabytes;
    double wait = latencyMs == null ? 0 : latencyMs;
    if (!(rate > 0) || !(wait >= 0 && wait <= 60_000)) {
      store.close();
      throw new CommandFailure(
          ExitCode.USAGE,
          "--store-mbps "
              + rate
              + " and --store-latency-ms "
              + wait
              + " make no sense; use more than 0 MB/s and 0 to 60000 ms");
    }
    Duration latency = Duration.ofNanos(Math.round(wait * MEGA));
    return new ThrottledStore(
        store,
        Throttle.realTime(
            (long) Math.min(Long.MAX_VALUE, rate * MEGA),
            new Throttle.Latency(latency, Duration.ZERO, 1)));
  }
}
