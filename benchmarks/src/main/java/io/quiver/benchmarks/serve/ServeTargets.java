package io.quiver.benchmarks.serve;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Compares Quiver's speed with its targets beside each peer. */
public final class ServeTargets {
  private static final List<Target> TARGETS =
      List.of(
          new Target("C reference", Peer.REFERENCE, 3_000, 0.85),
          new Target("C reference", Peer.REFERENCE, 20_000, 0.85),
          new Target("C reference", Peer.REFERENCE, 150_000, 0.85),
          new Target("memcached", Peer.MEMCACHED, 3_000, 2),
          new Target("memcached", Peer.MEMCACHED, 150_000, 1.2),
          new Target("redis", Peer.REDIS_MGET, 3_000, 2.5),
          new Target("redis", Peer.REDIS_MGET, 150_000, 1.8),
          new Target("nginx", Peer.NGINX, 3_000, 7));

  private ServeTargets() {}

  private record Target(String name, Peer peer, int bytes, double ratio) {
    @Nullable Double speed(ServeResult result) {
      return peer == Peer.REDIS_MGET
          ? result.redisGigabytesPerSecond()
          : result.gigabytesPerSecond(peer);
    }
  }

  /** Returns one line for each target that could be judged. */
  static String render(List<ServeResult> results) {
    StringBuilder text = new StringBuilder();
    for (Target target : TARGETS) {
      for (ServeResult result : results) {
        OptionalDouble ratio = result.ratioTo(target.speed(result));
        if (result.workload().bytes() == target.bytes && ratio.isPresent()) {
          text.append(line(target, result.workload(), ratio.getAsDouble()));
        }
      }
    }
    return text.toString();
  }

  private static String line(Target target, ServeWorkload workload, double ratio) {
    return String.format(
        Locale.ROOT,
        "  %s %-14s %-12s %6.2f x, target %.2f x%n",
        ratio >= target.ratio ? "✓ pass" : "✗ miss",
        workload,
        target.name,
        ratio,
        target.ratio);
  }
}
