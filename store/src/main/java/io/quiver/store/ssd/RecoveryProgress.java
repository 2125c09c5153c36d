package io.quiver.store.ssd;

/**
 * Told how far the scan at start has come; called from several threads, at most a few times a
 * second.
 */
@FunctionalInterface
public interface RecoveryProgress {
  /** For those who do not look. */
  RecoveryProgress NONE = (bytesDone, bytesTotal, blobs) -> {};

  /**
   * The scan moved on.
   *
   * @param bytesDone bytes of segment files passed so far
   * @param bytesTotal bytes of all segment files
   * @param blobs blobs found so far
   */
  void update(long bytesDone, long bytesTotal, long blobs);
}
