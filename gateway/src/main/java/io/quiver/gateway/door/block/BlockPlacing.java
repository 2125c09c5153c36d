package io.quiver.gateway.door.block;

import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.BlockPlace;

/** Decides where the blocks of an object go once they were read from the store. */
@FunctionalInterface
public interface BlockPlacing {
  /** All blocks go into the space that streams share. */
  BlockPlacing SHARED = file -> BlockPlace.SHARED;

  /** Returns the place of an object's blocks. */
  BlockPlace of(ObjectBlocks file);

  /** Returns true if the blocks of an object are to be inserted into the cache. */
  default boolean inserts(ObjectBlocks file) {
    return !(of(file) instanceof BlockPlace.Nowhere);
  }

  /** Returns the space of an object's blocks. */
  default SpaceId space(ObjectBlocks file, SpaceId shared) {
    return of(file) instanceof BlockPlace.Own(SpaceId own) ? own : shared;
  }
}
