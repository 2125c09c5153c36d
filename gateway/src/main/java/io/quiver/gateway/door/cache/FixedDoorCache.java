package io.quiver.gateway.door.cache;

import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.NamedBlocks;
import io.quiver.core.space.SpaceId;

/** A cache of servers that were named once and for all, and of a space that no plan made. */
public final class FixedDoorCache implements DoorCache {
  private final CacheClient client;
  private final SpaceId space;
  private final long retainableBytes;

  /**
   * Connects to servers.
   *
   * @param config the servers, and the name of the door as the job
   * @param retainableBytes most bytes of answers that stay as blocks of the door: its memory
   */
  public FixedDoorCache(ClientConfig config, SpaceId space, long retainableBytes) {
    this.client = CacheClient.connect(DoorClients.tuned(config, retainableBytes));
    this.space = space;
    this.retainableBytes = retainableBytes;
  }

  @Override
  public boolean usable() {
    return true;
  }

  @Override
  public CacheClient blobs() {
    return client;
  }

  @Override
  public NamedBlocks names() {
    return client;
  }

  @Override
  public SpaceId space() {
    return space;
  }

  @Override
  public long plan() {
    return 0;
  }

  @Override
  public long retainableBytes() {
    return retainableBytes;
  }

  @Override
  public void close() {
    client.close();
  }
}
