package io.quiver.store;

/** The outcome of one insert. */
public enum PutOutcome {
  /** The blob is new and visible from now on. */
  STORED,
  /** The blob was in the store; the space is now among its owners. */
  ALREADY_HERE,
  /** The content does not have the hash it was offered under. */
  HASH_MISMATCH,
  /** The blob is longer than the store accepts. */
  TOO_LARGE,
  /** The store's capacity or the space's quota has no space left for the blob. */
  NO_ROOM,
  /** No disk accepted the blob. */
  DISK_FAILURE
}
