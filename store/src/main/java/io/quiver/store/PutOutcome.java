package io.quiver.store;

/** What became of one insert. */
public enum PutOutcome {
  /** New here, and visible from now on. */
  STORED,
  /** Was here already; the space is now among its owners. */
  ALREADY_HERE,
  /** The content does not have the hash it was offered under. */
  HASH_MISMATCH,
  /** Longer than the store takes. */
  TOO_LARGE,
  /** The store, or the space's bound, has no room for it. */
  NO_ROOM,
  /** The disks did not take it. */
  DISK_FAILURE
}
