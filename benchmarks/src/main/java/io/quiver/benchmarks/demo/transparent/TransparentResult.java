package io.quiver.benchmarks.demo.transparent;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything the demo found.
 *
 * @param options the settings
 * @param bytes the bytes of all data
 * @param runs one for each mode, in the order they ran
 */
public record TransparentResult(TransparentOptions options, long bytes, List<Run> runs) {
  /** Keeps its own copy. */
  public TransparentResult {
    runs = List.copyOf(runs);
  }

  /**
   * All readers in one mode.
   *
   * @param mode the cache
   * @param readerSeconds how long each reader took
   * @param programBytes the bytes that programs were given
   * @param storeBytes the bytes that doors read from the store
   * @param storeReads the requests of doors to the store
   * @param moments bytes from the store over time
   * @param streams the streams that the manager knew in the end; empty in other modes
   */
  public record Run(
      TransparentMode mode,
      Map<Reader, Double> readerSeconds,
      long programBytes,
      long storeBytes,
      long storeReads,
      List<Moment> moments,
      List<Stream> streams) {
    /** Keeps its own copies. */
    public Run {
      readerSeconds = Map.copyOf(readerSeconds);
      moments = List.copyOf(moments);
      streams = List.copyOf(streams);
    }

    /** Returns the time of the last reader. */
    public double seconds() {
      return readerSeconds.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** Returns the times of all readers together. */
    public double totalSeconds() {
      return readerSeconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns the time of a reader. */
    public double seconds(Reader reader) {
      return readerSeconds.getOrDefault(reader, 0.0);
    }
  }

  /**
   * The bytes from the store at a moment.
   *
   * @param seconds since the readers began
   * @param storeBytes bytes so far
   */
  public record Moment(double seconds, long storeBytes) {}

  /**
   * A stream as {@code quiver streams} shows it.
   *
   * @param label the folder that is read
   * @param pattern how it is read
   * @param evidence the test that decided
   * @param quotaBytes most bytes of it in the cache
   * @param why the reason for that
   */
  public record Stream(
      String label, String pattern, String evidence, long quotaBytes, String why) {}

  /** Returns the run in a mode, if there was one. */
  public Optional<Run> run(TransparentMode mode) {
    return runs.stream().filter(run -> run.mode() == mode).findFirst();
  }

  /** Returns how many times faster all readers together are than in the slowest mode. */
  public double speedUp(Run run) {
    double slowest = runs.stream().mapToDouble(Run::totalSeconds).max().orElse(0);
    return run.totalSeconds() == 0 ? 1 : slowest / run.totalSeconds();
  }
}
