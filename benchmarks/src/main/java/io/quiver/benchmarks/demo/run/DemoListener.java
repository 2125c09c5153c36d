package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.demo.run.Timeline.Moment;
import java.nio.file.Path;

/**
 * Hears how a demo comes along, several times a second. Implementations are quick and never throw.
 */
public interface DemoListener {
  /** Tells that the data set of an earlier demo is used again. */
  void reusesData(Path folder);

  /** Tells that a data set of this many items is about to be written. */
  void makesData(Path folder, int items, int itemBytes);

  /** Tells how many items have been written. */
  void written(int items, int all);

  /** Tells how many bytes have been digested, of all there are or -1 while that is unknown. */
  void digested(long bytes, long all);

  /** Tells that the jobs of a mode are about to begin, each with this many samples to read. */
  void began(DemoMode mode, int jobs, long samplesPerJob);

  /** Tells how far the cache is filled before the clock runs. */
  void filled(int items, int all);

  /** Tells how far the jobs have come. */
  void running(Moment now);

  /** Tells how the jobs of a mode ended. */
  void ended(RunResult result);
}
