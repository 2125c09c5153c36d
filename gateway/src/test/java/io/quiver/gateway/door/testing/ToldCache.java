package io.quiver.gateway.door.testing;

import io.quiver.client.CacheClient;
import io.quiver.client.NamedBlocks;
import io.quiver.client.link.DoorStreams;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.DoorCache;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real cache whose plans a test makes: it tells the door the verdicts about its streams. */
public final class ToldCache implements DoorCache {
  private final DoorCache cache;
  private final DoorConfig config;
  private DoorStreams streams = DoorStreams.NONE;

  /** Passes everything on to a cache, which it closes. */
  public ToldCache(DoorCache cache, DoorConfig config) {
    this.cache = cache;
    this.config = config;
  }

  /** Tells the door the verdict about one folder, and no other. */
  public void tell(String folder, AccessPattern pattern, @Nullable SpaceId space, long quotaBytes) {
    String key = config.names().ofStream(config.storeId(), folder);
    streams.follow(List.of(new StreamVerdict(key, pattern, space, quotaBytes)), List.of());
  }

  /** Tells the door what is held of a data set that its programs read. */
  public void tell(DatasetPlan held) {
    streams.follow(List.of(), List.of(held));
  }

  /** Returns what the door would report. */
  public List<StreamSummary> summaries() {
    return streams.summaries();
  }

  @Override
  public void watch(DoorStreams watched) {
    streams = watched;
  }

  @Override
  public boolean usable() {
    return cache.usable();
  }

  @Override
  public CacheClient blobs() {
    return cache.blobs();
  }

  @Override
  public NamedBlocks names() {
    return cache.names();
  }

  @Override
  public SpaceId space() {
    return cache.space();
  }

  @Override
  public long plan() {
    return cache.plan();
  }

  @Override
  public long retainableBytes() {
    return cache.retainableBytes();
  }

  @Override
  public void close() {
    cache.close();
  }
}
