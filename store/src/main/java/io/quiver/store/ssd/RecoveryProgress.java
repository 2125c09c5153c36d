package io.quiver.store.ssd;

/**
 * Receives the progress of the scan at start, from several threads, at most a few times a second.
 */
@FunctionalInterface
public interface RecoveryProgress {
  /** Ignores the progress. */
  RecoveryProgress NONE = (bytesDone, bytesTotal, blobs) -> {};

  /**
   * Reports the progress of the scan.
   *
   * @param bytesDone bytes of segment files passed so far
   * @param bytesTotal bytes of all segment files
   * @param blobs blobs found so far
   */
  void update(long bytesDone, long bytesTotal, long blobs);
}
