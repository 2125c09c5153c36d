package io.quiver.gateway.door.cache;

import io.quiver.client.CacheClient;
import io.quiver.client.NamedBlocks;
import io.quiver.core.space.SpaceId;

/** A cache without servers: the door has its own memory and the store. */
public final class NoCache implements DoorCache {
  @Override
  public boolean usable() {
    return false;
  }

  @Override
  public CacheClient blobs() {
    throw new IllegalStateException("this door has no cache servers");
  }

  @Override
  public NamedBlocks names() {
    throw new IllegalStateException("this door has no cache servers");
  }

  @Override
  public SpaceId space() {
    return SpaceId.DEFAULT;
  }

  @Override
  public long plan() {
    return 0;
  }

  @Override
  public long retainableBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
