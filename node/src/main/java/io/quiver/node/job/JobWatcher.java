package io.quiver.node.job;

/** Told how a job comes along. */
public interface JobWatcher {
  /** A few times a second, by another thread than the job's. */
  void running(EpochProgress now);

  /** At the end of each epoch. */
  void ended(EpochResult result);
}
