package io.quiver.gateway.door.cache;

import io.quiver.client.CacheClient;
import io.quiver.client.NamedBlocks;
import io.quiver.client.link.DoorLink;
import io.quiver.client.link.DoorStreams;
import io.quiver.core.space.SpaceId;
import java.io.IOException;

/** A cache whose servers and space the manager plans. While nothing is planned it is unusable. */
public final class PlannedDoorCache implements DoorCache {
  private final DoorLink link;
  private final long retainableBytes;

  private PlannedDoorCache(DoorLink link, long retainableBytes) {
    this.link = link;
    this.retainableBytes = retainableBytes;
  }

  /**
   * Introduces a door to its manager.
   *
   * @param settings who the door is; its client is set up for doors first
   * @param retainableBytes most bytes of answers that stay as blocks of the door: its memory
   * @throws IOException if the credentials cannot be read
   */
  public static PlannedDoorCache open(DoorLink.Settings settings, long retainableBytes)
      throws IOException {
    DoorLink.Settings tuned =
        new DoorLink.Settings(
            settings.door(),
            settings.user(),
            settings.managers(),
            settings.credentials(),
            config -> settings.client().apply(DoorClients.tuned(config, retainableBytes)));
    return new PlannedDoorCache(DoorLink.open(tuned), retainableBytes);
  }

  @Override
  public boolean usable() {
    return link.usable();
  }

  @Override
  public CacheClient blobs() {
    return link.blobs();
  }

  @Override
  public NamedBlocks names() {
    return link.blobs();
  }

  @Override
  public SpaceId space() {
    return link.space();
  }

  @Override
  public long plan() {
    return link.plan();
  }

  @Override
  public long retainableBytes() {
    return retainableBytes;
  }

  @Override
  public void noteRead(long block, long bytes, boolean fromStore, long tookNanos) {
    link.noteRead(block, bytes, fromStore, tookNanos);
  }

  @Override
  public void watch(DoorStreams streams) {
    link.watch(streams);
  }

  @Override
  public void close() {
    link.close();
  }
}
