package io.quiver.benchmarks.load;

import io.quiver.benchmarks.BenchmarkException;

/**
 * The result of one slice of load.
 *
 * @param bytes payload received
 * @param seconds how long it took
 * @param batches answers received
 * @param clientCpuSeconds processor time of the asking process
 * @param serverCpuSeconds processor time of the answering processes
 */
public record LoadResult(
    long bytes, double seconds, long batches, double clientCpuSeconds, double serverCpuSeconds) {

  /** Parses the line that the load generators print. */
  static LoadResult parse(String line) throws BenchmarkException {
    String[] parts = line.strip().split(" ", -1);
    try {
      return new LoadResult(
          Long.parseLong(parts[0]),
          Double.parseDouble(parts[1]),
          Long.parseLong(parts[2]),
          Double.parseDouble(parts[3]),
          Double.parseDouble(parts[4]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new BenchmarkException("the load generator printed \"" + line.strip() + "\"", e);
    }
  }

  /** Returns the payload in units of 10^9 bytes. */
  public double gigabytes() {
    return bytes / 1e9;
  }

  /** Gigabytes per second. */
  public double gigabytesPerSecond() {
    return gigabytes() / seconds;
  }
}
