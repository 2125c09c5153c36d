package io.quiver.benchmarks.load;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to ask.
 *
 * @param batch blobs in one question
 * @param connections how many at once, each with one question in flight
 * @param warmSeconds how long before it counts
 * @param seconds how long it counts; 0 to read every blob once, counting from the start
 * @param seed decides the order of the blobs
 * @param bytesPerSecond what to hold; 0 for as fast as it goes
 * @param latencies file for the nanoseconds of every answer
 */
public record LoadShape(
    int batch,
    int connections,
    double warmSeconds,
    double seconds,
    long seed,
    double bytesPerSecond,
    Optional<Path> latencies) {

  /** Every blob once, as fast as it goes, four questions in flight. */
  public static LoadShape once(int batch, long seed) {
    return new LoadShape(batch, 4, 0, 0, seed, 0, Optional.empty());
  }

  /** As fast as it goes, two questions in flight. */
  public static LoadShape full(int batch, double warmSeconds, double seconds, long seed) {
    return new LoadShape(batch, 2, warmSeconds, seconds, seed, 0, Optional.empty());
  }
}
