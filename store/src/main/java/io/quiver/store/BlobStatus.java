package io.quiver.store;

/** What a store says of one hash in a batch. */
public enum BlobStatus {
  /** Not here, or here but not whole. */
  MISS,
  /** Here; the bytes are in the batch. */
  HIT,
  /** Not looked at: enough blobs had been found before it. */
  SKIPPED,
  /** Here, or not looked at, but the answer was full: ask again. */
  DEFERRED
}
