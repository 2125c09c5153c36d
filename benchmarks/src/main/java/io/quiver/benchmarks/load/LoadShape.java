package io.quiver.benchmarks.load;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The shape of the load.
 *
 * @param batch blobs in one question
 * @param connections the number of concurrent connections, each with one question in flight
 * @param warmSeconds the time before counting begins
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

  /** Returns every blob once, as fast as it goes, four questions in flight. */
  public static LoadShape once(int batch, long seed) {
    return new LoadShape(batch, 4, 0, 0, seed, 0, Optional.empty());
  }

  /** Returns a load at full speed with two requests in flight. */
  public static LoadShape full(int batch, double warmSeconds, double seconds, long seed) {
    return new LoadShape(batch, 2, warmSeconds, seconds, seed, 0, Optional.empty());
  }
}
