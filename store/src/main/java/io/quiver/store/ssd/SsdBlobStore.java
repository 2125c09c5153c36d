package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreException;
import io.quiver.store.StoreUsage;
import io.quiver.store.ssd.Recovery.RecoveryMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * Stores blobs in segment files on local disks. The package description explains the layout and the
 * parts; this class is the entry point.
 */
public final class SsdBlobStore implements BlobStore {
  private static final int PUT_ATTEMPTS = 4;

  private final StoreState state;
  private final BlobCatalog catalog;
  private final Reclaimer reclaimer;
  private final Sweeper sweeper;
  private final ColdReads coldReads;
  private final BlobReader.Reading reading;
  private volatile boolean closed;

  private SsdBlobStore(StoreState state, RecoveryProgress progress) throws IOException {
    this.state = state;
    Appender appender = new Appender(state);
    catalog = new BlobCatalog(state, appender);
    reclaimer = new Reclaimer(state, catalog, new Mover(state, appender, catalog));
    new Recovery(state, catalog, new RecoveryMeter(progress)).run();
    state.directories.forEach(reclaimer::shrink);
    sweeper = new Sweeper(state);
    coldReads = new ColdReads(state);
    ColdBudget budget = new ColdBudget(state.config.coldBufferBytes());
    reading = new BlobReader.Reading(state, catalog, new Warmth(sweeper), coldReads, budget);
  }

  /**
   * Opens the store in its directories and re-indexes what they hold.
   *
   * @throws StoreException when a directory is missing, not writable, in use by another process or
   *     of a format this version does not know
   */
  public static SsdBlobStore open(SsdStoreConfig config, RecoveryProgress progress)
      throws StoreException {
    return open(config, progress, NativeSegmentFile::new, System::nanoTime);
  }

  /** Opens a store over other files and another clock. */
  static SsdBlobStore open(
      SsdStoreConfig config,
      RecoveryProgress progress,
      SegmentFile.Opener opener,
      LongSupplier nanoTime)
      throws StoreException {
    List<StoreDirectory> directories = new ArrayList<>();
    StoreState state = null;
    boolean opened = false;
    try {
      long share = config.capacityBytes() / config.directories().size();
      for (Path path : config.directories()) {
        directories.add(
            new StoreDirectory(
                path, share, config.segmentBytes(), config.maxBlobBytes(), nanoTime));
      }
      state = new StoreState(config, directories, opener, nanoTime);
      SsdBlobStore store = new SsdBlobStore(state, progress);
      opened = true;
      return store;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreException(
          config.directories().getFirst(),
          "could not be read (" + e.getMessage() + ")",
          "check the disk; emptying the directory loses nothing but warmth",
          e);
    } finally {
      if (!opened) {
        if (state != null) {
          state.release();
        }
        directories.forEach(StoreDirectory::close);
      }
    }
  }

  @Override
  public boolean[] contains(List<ContentHash> hashes) {
    Epochs.Epoch epoch = enter();
    try {
      boolean[] here = new boolean[hashes.size()];
      Index.Probe probe = new Index.Probe();
      for (int i = 0; i < here.length; i++) {
        long location = state.index.find(hashes.get(i), probe);
        here[i] = location != 0 && !Location.isName(location);
      }
      return here;
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public BlobBatch read(List<ContentHash> hashes, int want, long maxBytes) {
    return read(hashes, want, maxBytes, false);
  }

  @Override
  public BlobBatch readChecked(List<ContentHash> hashes, int want, long maxBytes) {
    return read(hashes, want, maxBytes, true);
  }

  private BlobBatch read(List<ContentHash> hashes, int want, long maxBytes, boolean checkAll) {
    if (want < 1 || want > hashes.size()) {
      throw new IllegalArgumentException("want " + want + " of " + hashes.size() + " blobs");
    }
    return read(BlobReader.ofBlobs(reading, hashes, want, maxBytes, checkAll));
  }

  private BlobBatch read(BlobReader reader) {
    Epochs.Epoch epoch = enter();
    try {
      return reader.read();
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public List<Optional<NameBinding>> resolve(List<BlockName> names) {
    List<ContentHash> keys = names.stream().map(BlockName::key).toList();
    List<Optional<NameBinding>> bindings = new ArrayList<>(names.size());
    while (bindings.size() < names.size()) {
      int from = bindings.size();
      try (BlobBatch batch = read(BlobReader.ofNames(reading, keys.subList(from, keys.size())))) {
        // Where memory for cold reads is short, some are left for another round.
        for (int i = 0; i < batch.size() && batch.status(i) != BlobStatus.DEFERRED; i++) {
          bindings.add(binding(batch, i, names.get(from + i)));
        }
      }
    }
    return bindings;
  }

  private static Optional<NameBinding> binding(BlobBatch batch, int index, BlockName name) {
    return batch.status(index) == BlobStatus.HIT
        ? Optional.of(NameBinding.read(name, batch.bytes(index), 0))
        : Optional.empty();
  }

  @Override
  public PutOutcome put(
      ContentHash hash, SpaceId space, ByteBuffer content, BooleanSupplier admit) {
    requireOpen();
    if (content.remaining() > state.config.maxBlobBytes()) {
      return PutOutcome.TOO_LARGE;
    }
    if (!ContentHash.ofContent(content).equals(hash)) {
      return PutOutcome.HASH_MISMATCH;
    }
    if (!admit.getAsBoolean()) {
      return PutOutcome.NO_ROOM;
    }
    return put(RecordHeader.data(content.remaining(), crc32c(content), hash), space, content);
  }

  @Override
  public PutOutcome bind(NameBinding binding, SpaceId space, BooleanSupplier admit) {
    requireOpen();
    if (!admit.getAsBoolean()) {
      return PutOutcome.NO_ROOM;
    }
    ByteBuffer content = ByteBuffer.allocate(NameBinding.TARGET_BYTES);
    binding.write(content, 0);
    return put(RecordHeader.name(crc32c(content), binding.name().key()), space, content);
  }

  private static int crc32c(ByteBuffer content) {
    CRC32C crc = new CRC32C();
    crc.update(content.duplicate());
    return (int) crc.getValue();
  }

  /** Inserts a record, collecting garbage while the disk is full. */
  private PutOutcome put(RecordHeader header, SpaceId space, ByteBuffer content) {
    for (int attempt = 1; ; attempt++) {
      BlobCatalog.Insert insert = insert(space, header, content);
      StoreDirectory full = insert.full();
      if (full == null || attempt == PUT_ATTEMPTS) {
        return insert.outcome();
      }
      if (!reclaimer.freeBytesFor(full, header.recordBytes() + SegmentHeader.BYTES)) {
        return PutOutcome.NO_ROOM;
      }
    }
  }

  private BlobCatalog.Insert insert(SpaceId id, RecordHeader header, ByteBuffer content) {
    return state.spaces.holding(id, space -> insert(space, header, content));
  }

  /**
   * Inserts a blob, entering the epoch only now: a drop of the space waits for epochs, and the
   * caller waited for the drop.
   */
  private BlobCatalog.Insert insert(StoredSpace space, RecordHeader header, ByteBuffer content) {
    Epochs.Epoch epoch = enter();
    try {
      return catalog.insert(space, header, content);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public boolean evict(ContentHash hash, SpaceId space) {
    Epochs.Epoch epoch = enter();
    try {
      return catalog.evict(hash, space);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public boolean evict(long fingerprint, SpaceId space) {
    Epochs.Epoch epoch = enter();
    try {
      return catalog.evict(fingerprint, space);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public long evict(Set<SpaceId> spaces, IntPredicate slots) {
    SlotEviction eviction = new SlotEviction(state, catalog, spaces, slots);
    long evicted = 0;
    for (int shard = 0; shard < Index.SHARDS; shard++) {
      Epochs.Epoch epoch = enter();
      try {
        evicted += eviction.evict(shard);
      } finally {
        state.epochs.leave(epoch);
      }
    }
    return evicted;
  }

  @Override
  public long drop(Set<SpaceId> spaces) {
    requireOpen();
    return reclaimer.drop(spaces);
  }

  @Override
  public void list(Set<SpaceId> spaces, Listing listing) {
    Epochs.Epoch epoch = enter();
    try {
      new SpaceListing(state, spaces).tell(listing);
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public void listen(SpaceId id, LongConsumer read) {
    requireOpen();
    state.spaces.listen(id, read);
  }

  @Override
  public void limit(SpaceId id, long bytes) {
    requireOpen();
    state.spaces.holding(id, space -> space.limit(bytes));
  }

  @Override
  public StoreUsage usage() {
    Epochs.Epoch epoch = enter();
    try {
      return new StoreUsage(
          state.config.capacityBytes(),
          state.directories.stream().mapToLong(StoreDirectory::reserve).sum(),
          state.directories.stream().mapToLong(StoreDirectory::used).sum(),
          state.directories.stream().mapToLong(StoreDirectory::live).sum(),
          state.index.size() - state.index.names(),
          state.index.names(),
          state.counters.activity());
    } finally {
      state.epochs.leave(epoch);
    }
  }

  @Override
  public List<SpaceUsage> spaces() {
    requireOpen();
    return state.spaces.usage();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    sweeper.close();
    coldReads.close();
    state.seal();
    state.directories.forEach(StoreDirectory::close);
    state.epochs.retire(state::release);
  }

  /** Enters an epoch, in which nothing is released, and fails if the store is closed. */
  private Epochs.Epoch enter() {
    Epochs.Epoch epoch = state.epochs.enter();
    if (closed) {
      state.epochs.leave(epoch);
      throw new IllegalStateException("the blob store is closed");
    }
    return epoch;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the blob store is closed");
    }
  }
}
