package io.quiver.gateway.door.block;

import io.quiver.core.space.SpaceId;

/** Decides where the blocks of an object go once they were read from the store. */
@FunctionalInterface
public interface BlockPlacing {
  /** All blocks go into the space that streams share. */
  BlockPlacing SHARED = path -> new Place.Shared();

  /** A place for blocks. */
  sealed interface Place {
    /** The space that all streams without one of their own share. */
    record Shared() implements Place {}

    /**
     * The space of the stream that reads the object.
     *
     * @param space is planned for this stream only
     */
    record Own(SpaceId space) implements Place {}

    /** Nobody will read the block again: it stays in the door's memory for its reader. */
    record Nowhere() implements Place {}
  }

  /** Returns the place of an object's blocks. */
  Place of(String path);

  /** Returns true if the blocks of an object are to be inserted into the cache. */
  default boolean inserts(String path) {
    return !(of(path) instanceof Place.Nowhere);
  }

  /** Returns the space of an object's blocks. */
  default SpaceId space(String path, SpaceId shared) {
    return of(path) instanceof Place.Own(SpaceId own) ? own : shared;
  }
}
