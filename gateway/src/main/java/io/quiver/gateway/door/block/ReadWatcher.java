package io.quiver.gateway.door.block;

/** Hears of every block that a program reads. Must not block: readers wait for it. */
@FunctionalInterface
public interface ReadWatcher {
  /** Hears nothing. */
  ReadWatcher NONE = (file, index, reader, fromStore, tookNanos) -> {};

  /**
   * Hears that a program has read a block, or a part of it.
   *
   * @param reader who reads, as far as the door can tell readers apart
   * @param fromStore true if the program waited for the store
   * @param tookNanos how long it waited
   */
  void read(ObjectBlocks file, int index, long reader, boolean fromStore, long tookNanos);
}
