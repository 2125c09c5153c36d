package io.quiver.core.stream;

import io.quiver.core.space.SpaceId;

/** A place for a block that was read from the store. */
public sealed interface BlockPlace {
  /** The space that all streams without one of their own share. */
  BlockPlace SHARED = new Shared();

  /** No place in the cache. */
  BlockPlace NOWHERE = new Nowhere();

  /** The space that all streams without one of their own share. */
  record Shared() implements BlockPlace {}

  /**
   * The space of the stream that reads the object.
   *
   * @param space is planned for this stream only
   */
  record Own(SpaceId space) implements BlockPlace {}

  /** Nobody will read the block again: it stays in the door's memory for its reader. */
  record Nowhere() implements BlockPlace {}
}
