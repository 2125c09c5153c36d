package io.quiver.gateway.door;

import io.quiver.core.stream.AccessStreams;
import io.quiver.gateway.door.block.BlockCounters;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.block.BlockReader;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.GuardedCache;
import io.quiver.gateway.door.metadata.MetadataCache;
import io.quiver.gateway.door.stream.AheadReader;
import io.quiver.gateway.door.stream.StreamObserver;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A door over one store and one cache. Details and listings come from {@link MetadataCache}, bytes
 * from {@link BlockReader}; this class says which details a handle is opened with.
 */
public final class CachedDoor implements Door {
  private final DoorConfig config;
  private final RemoteStore store;
  private final DoorCache cache;
  private final MetadataCache metadata;
  private final BlockReader blocks;
  private final StreamObserver streams;
  private final AtomicLong unversioned = new AtomicLong();
  private volatile boolean closed;

  /** Opens a door; it closes the store and the cache when it is closed. */
  public static CachedDoor open(DoorConfig config, RemoteStore store, DoorCache cache) {
    return new CachedDoor(config, store, cache, System::nanoTime);
  }

  /**
   * Opens a door.
   *
   * @param nanoTime the time by which answers of the store grow old
   */
  CachedDoor(DoorConfig config, RemoteStore store, DoorCache cache, LongSupplier nanoTime) {
    this.config = config;
    this.store = store;
    this.cache = cache;
    this.metadata = new MetadataCache(store, config.metadata(), nanoTime);
    this.streams =
        new StreamObserver(
            config.storeId(),
            new AccessStreams(
                config.streams(), path -> config.names().ofStream(config.storeId(), path)),
            nanoTime);
    this.blocks =
        new BlockReader(
            store,
            new GuardedCache(cache, config.cachePatience(), System::nanoTime),
            new BlockReader.Naming(config.names(), config.storeId()),
            new BlockReader.Items(
                object -> config.items().flatMap(known -> known.find(object)), config::distrust),
            new BlockReader.Streams(streams, streams),
            config.blocks(),
            System::nanoTime);
    cache.watch(streams);
    streams.start(
        new AheadReader(
            blocks, metadata::freshObject, this::cut, this::openAhead, streams::failed));
  }

  /** Asks for an object nobody has opened yet; its first block comes with the answer. */
  private RemoteObject openAhead(String name) throws IOException {
    return askFirst(name).object();
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    requireOpen();
    return metadata.details(name);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    requireOpen();
    return metadata.stat(name);
  }

  @Override
  public ListingPage list(ListingRequest request) throws IOException {
    requireOpen();
    ListingPage page = metadata.page(request);
    streams.listed(request, page);
    return page;
  }

  @Override
  public OpenObject open(String name) throws IOException {
    requireOpen();
    ObjectDetails known = metadata.freshDetails(name);
    if (known != null) {
      return open(known);
    }
    return open(isProbablyHeld(name) ? metadata.details(name) : askFirst(name));
  }

  /** Returns true if the object's bytes are probably at hand, so that only its details are not. */
  private boolean isProbablyHeld(String name) {
    if (config.isItem(name)) {
      return true;
    }
    Optional<RemoteObject> last = metadata.lastKnown(name);
    return last.filter(object -> blocks.hasFirst(cut(object))).isPresent();
  }

  /** Asks the store for details and first bytes in one request. */
  private ObjectDetails askFirst(String name) throws IOException {
    long wantedAt = blocks.now();
    FirstAnswer answer = new FirstAnswer();
    ObjectDetails details = metadata.ask(name, () -> answer.of(blocks.askFirst(name)));
    FirstBytes first = answer.first;
    if (first != null) {
      blocks.takeFirst(cut(details.object()), first, wantedAt);
    }
    return details;
  }

  /** Keeps the stream of the one who asks; those who wait for the answer get the details only. */
  private static final class FirstAnswer {
    private @Nullable FirstBytes first;

    ObjectDetails of(FirstBytes answer) {
      first = answer;
      return answer.details();
    }
  }

  @Override
  public OpenObject open(ObjectDetails details) throws IOException {
    requireOpen();
    return new DoorHandle(details, cut(details.object()), blocks, this::forget);
  }

  /** Cuts an object into blocks; one without a version has blocks of this handle's own. */
  private ObjectBlocks cut(RemoteObject object) {
    String fallback = object.version().isEmpty() ? "handle-" + unversioned.incrementAndGet() : "";
    return ObjectBlocks.of(object, config.blocks().blockBytes(), fallback);
  }

  @Override
  public void forget(String name) {
    metadata.forget(name);
  }

  @Override
  public DoorStatistics statistics() {
    BlockCounters counts = blocks.counters();
    return new DoorStatistics(
        counts.get(Of.MEMORY_BYTES),
        counts.get(Of.CACHE_BYTES),
        counts.get(Of.STORE_BYTES),
        counts.get(Of.STORE_READS),
        counts.get(Of.INSERTED_BYTES),
        new DoorStatistics.Blocks(
            counts.get(Of.MEMORY_HITS),
            counts.get(Of.CACHE_HITS),
            counts.get(Of.INSERTED_BLOCKS),
            counts.get(Of.NOT_INSERTED),
            counts.get(Of.SHARED_WAITS),
            counts.get(Of.AHEAD_BLOCKS),
            blocks.wastedAhead(),
            counts.get(Of.UNBUFFERED_READS),
            counts.get(Of.STORE_FAILURES),
            counts.get(Of.FIRST_BYTES),
            counts.get(Of.FIRST_BYTE_NANOS)),
        new DoorStatistics.Metadata(
            metadata.remembered(),
            metadata.asked(),
            metadata.detailsBytes() + metadata.listingBytes()),
        blocks.memoryBytes());
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the door to " + store.uri() + " is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    streams.close();
    blocks.stop();
    store.close();
    blocks.close();
    cache.close();
  }
}
