package io.quiver.store;

/** The status of one hash in a batch. */
public enum BlobStatus {
  /** The blob is absent or damaged. */
  MISS,
  /** The blob is in the store and its bytes are in the batch. */
  HIT,
  /** The blob was not looked up, because enough blobs had been found before it. */
  SKIPPED,
  /** The answer was full before this blob: ask again. */
  DEFERRED
}
