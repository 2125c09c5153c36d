package io.quiver.benchmarks.demo.transparent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the demo.
 *
 * @param modes the modes, one run for each
 * @param scale the number of files, as a multiple of the usual one
 * @param epochs epochs of the training
 * @param cacheFraction cache size as a share of all data
 * @param storeBytesPerSecond bandwidth of the store for all readers together
 * @param storeLatency wait of every request to the store
 * @param seed decides contents and orders
 * @param folder folder of the data and of the caches
 */
public record TransparentOptions(
    List<TransparentMode> modes,
    double scale,
    int epochs,
    double cacheFraction,
    long storeBytesPerSecond,
    Duration storeLatency,
    long seed,
    Path folder) {
  private static final double LEAST_SCALE = 0.01;
  private static final double MOST_SCALE = 100;
  private static final int MOST_EPOCHS = 100;

  /** Checks every value. */
  public TransparentOptions {
    modes = List.copyOf(modes);
    require(
        !modes.isEmpty() && modes.stream().distinct().count() == modes.size(),
        "--modes " + modes,
        "each of none, lru and streams at most once");
    require(
        scale >= LEAST_SCALE && scale <= MOST_SCALE,
        "--scale " + scale,
        LEAST_SCALE + " to " + MOST_SCALE);
    require(epochs >= 1 && epochs <= MOST_EPOCHS, "--epochs " + epochs, "1 to " + MOST_EPOCHS);
    require(
        cacheFraction > 0 && cacheFraction <= 1,
        "--cache-fraction " + cacheFraction,
        "more than 0 and at most 1, such as 0.2");
    require(storeBytesPerSecond >= 1000, "--store-mbps", "at least 0.001 megabytes per second");
    require(
        !storeLatency.isNegative() && storeLatency.toSeconds() <= 60,
        "--store-latency-ms " + storeLatency.toMillis(),
        "0 to 60000 milliseconds");
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + " makes no sense; use " + remedy);
    }
  }

  /** Returns the time after which a run has failed. */
  Duration patience(long bytes) {
    double reading = 10.0 * epochs * bytes / storeBytesPerSecond;
    return Duration.ofSeconds(300 + (long) reading);
  }
}
