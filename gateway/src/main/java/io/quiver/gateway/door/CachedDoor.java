package io.quiver.gateway.door;

import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.tree.AccessStreams;
import io.quiver.gateway.door.block.BlockCounters;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.block.BlockReader;
import io.quiver.gateway.door.block.FirstBlocks;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.GuardedCache;
import io.quiver.gateway.door.metadata.MetadataCache;
import io.quiver.gateway.door.stream.AheadReader;
import io.quiver.gateway.door.stream.StreamCounts;
import io.quiver.gateway.door.stream.StreamObserver;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.Versions;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A door over one store and one cache. Details and listings come from {@link MetadataCache}, bytes
 * from {@link BlockReader}; this class says which details a handle is opened with.
 */
public final class CachedDoor implements Door {
  private static final Logger LOG = LoggerFactory.getLogger(CachedDoor.class);

  /** Most objects at once whose details are asked for because they were read ahead. */
  private static final int MOST_QUESTIONS = 32;

  private final DoorConfig config;
  private final RemoteStore store;
  private final DoorCache cache;
  private final MetadataCache metadata;
  private final BlockReader blocks;
  private final @Nullable StreamObserver streams;
  private final AtomicLong unversioned = new AtomicLong();
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);

  /** The objects that are being opened, whose first bytes come with their details. */
  private final Set<String> opening = ConcurrentHashMap.newKeySet();

  private volatile boolean opensByName;
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
    this.streams = config.streams().map(rules -> observer(config, rules)).orElse(null);
    this.blocks =
        new BlockReader(
            store,
            new GuardedCache(cache, config.cachePatience(), System::nanoTime),
            new BlockReader.Naming(config.names(), config.storeId()),
            new BlockReader.Items(
                object -> config.items().flatMap(known -> known.find(object)), config::distrust),
            streams == null ? BlockReader.Streams.NONE : new BlockReader.Streams(streams, streams),
            new UnopenedObjects(),
            config.blocks(),
            System::nanoTime);
    if (streams != null) {
      cache.watch(streams);
      streams.start(new AheadReader(blocks, new UnopenedObjects(), streams));
    }
  }

  private static StreamObserver observer(DoorConfig config, StreamRules rules) {
    UnaryOperator<String> keys = path -> config.names().ofStream(config.storeId(), path);
    return new StreamObserver(
        config.storeId(), config.items(), new AccessStreams(rules, keys), System::nanoTime);
  }

  /** The objects that are read ahead, which nobody has opened yet. */
  private final class UnopenedObjects implements AheadReader.Objects, FirstBlocks {
    @Override
    public Optional<RemoteObject> known(String path) {
      return metadata.freshObject(path);
    }

    @Override
    public boolean isBeingOpened(String path) {
      return opening.contains(path);
    }

    @Override
    public RemoteObject ask(String path) throws IOException {
      return metadata.details(path).object();
    }

    @Override
    public ObjectBlocks cut(RemoteObject object) {
      return CachedDoor.this.cut(object);
    }

    @Override
    public InputStream open(RemoteObject object, int length) throws IOException {
      FirstAnswer answer = new FirstAnswer();
      // Whoever asks in another way may wait for the turn at the store that this thread has.
      metadata.askAlone(object.name(), () -> answer.of(store.first(object.name(), length)));
      FirstBytes first = java.util.Objects.requireNonNull(answer.first);
      try {
        Versions.requireSame(object, first.details().object());
        return first.bytes();
      } catch (IOException changed) {
        first.close();
        throw changed;
      }
    }

    @Override
    public void found(RemoteObject object) {
      if (opensByName && questions.tryAcquire()) {
        try {
          metadata.details(object.name());
        } catch (IOException e) {
          LOG.debug("'{}' was read ahead, but its details were not", object.name(), e);
        } finally {
          questions.release();
        }
      }
    }
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
    if (streams != null) {
      streams.listed(request, page);
    }
    return page;
  }

  @Override
  public OpenObject open(String name) throws IOException {
    requireOpen();
    opensByName = true;
    ObjectDetails known = metadata.freshDetails(name);
    if (known != null) {
      return open(known);
    }
    // Noted first, so that either this thread or one that reads ahead sees the other.
    opening.add(name);
    try {
      if (isProbablyHeld(name)) {
        return open(metadata.details(name));
      }
      long began = blocks.now();
      DoorHandle handle = handle(askFirst(name));
      handle.openedIn(blocks.now() - began);
      return handle;
    } finally {
      opening.remove(name);
    }
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
    return handle(details);
  }

  private DoorHandle handle(ObjectDetails details) {
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
            blocks.wastedAheadBytes(),
            counts.get(Of.UNBUFFERED_READS),
            counts.get(Of.STORE_FAILURES),
            counts.get(Of.FIRST_BYTES),
            counts.get(Of.FIRST_BYTE_NANOS)),
        new DoorStatistics.Metadata(
            metadata.remembered(),
            metadata.asked(),
            metadata.detailsBytes() + metadata.listingBytes()),
        blocks.memoryBytes(),
        streams == null ? StreamCounts.NONE : streams.counts());
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the door to " + store.uri() + " is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    if (streams != null) {
      streams.close();
    }
    blocks.stop();
    store.close();
    blocks.close();
    cache.close();
  }
}
