package io.quiver.gateway.door.cache;

import io.quiver.client.CacheClient;
import io.quiver.client.NamedBlocks;
import io.quiver.client.link.DoorStreams;
import io.quiver.core.space.SpaceId;

/**
 * The cache as one door sees it: its servers, and the space that the door fills. Servers may come
 * and go. Safe for use by many threads.
 */
public interface DoorCache extends AutoCloseable {
  /** Returns true if there are servers to ask. */
  boolean usable();

  /**
   * Returns the calls for blobs.
   *
   * @throws IllegalStateException if the cache is not usable
   */
  CacheClient blobs();

  /**
   * Returns the calls for names of the same servers.
   *
   * @throws IllegalStateException if the cache is not usable
   */
  NamedBlocks names();

  /** Returns the space that what this door reads goes into. */
  SpaceId space();

  /** Returns the version of the plan that made the space; 0 where no plan did. */
  long plan();

  /**
   * Returns the most bytes of answers that the door may keep as blocks. The client has memory for
   * more than that, so that further answers always find some.
   */
  long retainableBytes();

  /**
   * Notes that a block of no stream was brought, for whoever plans the space that streams share.
   *
   * @param block bits of the block's name, as good as random
   * @param bytes how long the block is
   * @param fromStore whether the store had to be asked
   * @param tookNanos how long it took
   */
  default void noteRead(long block, long bytes, boolean fromStore, long tookNanos) {}

  /** Tells whoever plans of a door's streams, and shows the door the verdicts of every plan. */
  default void watch(DoorStreams streams) {}

  @Override
  void close();
}
