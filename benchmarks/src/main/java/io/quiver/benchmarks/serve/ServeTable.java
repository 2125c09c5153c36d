package io.quiver.benchmarks.serve;

import io.quiver.benchmarks.serve.ServeResult.PeerSpeed;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The figures for people: one block for each workload, ratios beside absolute numbers. */
public final class ServeTable {
  private ServeTable() {}

  /** Returns the whole table, lines ended. */
  public static String render(List<ServeResult> results) {
    StringBuilder text = new StringBuilder();
    for (ServeResult result : results) {
      text.append(
          String.format(
              Locale.ROOT,
              "%n%-22s %8s %12s %12s %12s%n",
              result.workload(),
              "GB/s",
              "quiver is",
              "server s/GB",
              "client s/GB"));
      for (Peer peer : Peer.values()) {
        text.append(row(result, peer));
      }
    }
    return text.append(String.format("%n")).append(ServeTargets.render(results)).toString();
  }

  private static String row(ServeResult result, Peer peer) {
    PeerSpeed speed = result.speeds().get(peer);
    if (speed == null) {
      return String.format("  %-20s %8s%n", peer.label(), "–");
    }
    OptionalDouble ratio = result.ratioTo(speed.gigabytesPerSecond());
    return String.format(
        Locale.ROOT,
        "  %-20s %8.2f %12s %12.2f %12.2f%n",
        peer.label(),
        speed.gigabytesPerSecond(),
        ratio.isPresent() ? String.format(Locale.ROOT, "%.2f x", ratio.getAsDouble()) : "–",
        speed.serverCpuSecondsPerGigabyte(),
        speed.clientCpuSecondsPerGigabyte());
  }
}
