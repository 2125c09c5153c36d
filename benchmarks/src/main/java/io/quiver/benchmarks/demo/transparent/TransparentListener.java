package io.quiver.benchmarks.demo.transparent;

import java.nio.file.Path;

/** Hears how the demo comes along. Implementations are quick and never throw. */
public interface TransparentListener {
  /** Tells that the data of an earlier demo is used again. */
  void reusesData(Path folder);

  /** Tells how many files have been written. */
  void written(int files, int all);

  /** Tells something that the user should know. */
  void noted(String text);

  /** Tells that a mode is about to begin. */
  void began(TransparentMode mode, int readers);

  /** Tells how far a run has come. */
  void running(double seconds, int readersDone, long storeBytes);

  /** Tells how a run ended. */
  void ended(TransparentResult.Run run);
}
