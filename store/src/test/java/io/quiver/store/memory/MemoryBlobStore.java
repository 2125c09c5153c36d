package io.quiver.store.memory;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreUsage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Keeps blobs in direct buffers under one lock. It is small and obvious rather than fast, because
 * the SSD store is tested against it.
 */
public final class MemoryBlobStore implements BlobStore {
  private final long capacityBytes;
  private final long maxBlobBytes;
  private final Map<ContentHash, Entry> entries = new LinkedHashMap<>();
  private final Map<SpaceId, LongConsumer> listeners = new HashMap<>();
  private final Map<SpaceId, Long> limits = new TreeMap<>();
  private long usedBytes;
  private long reads;
  private boolean closed;

  /** Creates a store of this capacity for blobs up to the given length. */
  public MemoryBlobStore(long capacityBytes, long maxBlobBytes) {
    this.capacityBytes = capacityBytes;
    this.maxBlobBytes = maxBlobBytes;
  }

  @Override
  public synchronized boolean[] contains(List<ContentHash> hashes) {
    requireOpen();
    boolean[] here = new boolean[hashes.size()];
    for (int i = 0; i < here.length; i++) {
      here[i] = blob(hashes.get(i)) != null;
    }
    return here;
  }

  @Override
  public synchronized BlobBatch read(List<ContentHash> hashes, int want, long maxBytes) {
    requireOpen();
    if (want < 1 || want > hashes.size()) {
      throw new IllegalArgumentException("want " + want + " of " + hashes.size() + " blobs");
    }
    Answer answer = new Answer(hashes.size());
    for (int i = 0; i < hashes.size(); i++) {
      Entry entry = blob(hashes.get(i));
      if (answer.hits == want) {
        answer.statuses[i] = BlobStatus.SKIPPED;
      } else if (entry == null) {
        answer.statuses[i] = BlobStatus.MISS;
      } else if (answer.hits > 0 && answer.hitBytes + entry.content.capacity() > maxBytes) {
        Arrays.fill(answer.statuses, i, hashes.size(), BlobStatus.DEFERRED);
        break;
      } else {
        answer.add(i, entry);
        tell(entry, hashes.get(i).fingerprint());
      }
    }
    reads += answer.hits;
    return answer;
  }

  @Override
  public PutOutcome put(
      ContentHash hash, SpaceId space, ByteBuffer content, BooleanSupplier admit) {
    int length = content.remaining();
    if (length > maxBlobBytes) {
      return PutOutcome.TOO_LARGE;
    }
    if (!ContentHash.ofContent(content).equals(hash)) {
      return PutOutcome.HASH_MISMATCH;
    }
    if (!admit.getAsBoolean()) {
      return PutOutcome.NO_ROOM;
    }
    synchronized (this) {
      requireOpen();
      return insert(hash, space, new Entry(content, null, space));
    }
  }

  @Override
  public PutOutcome bind(NameBinding binding, SpaceId space, BooleanSupplier admit) {
    if (!admit.getAsBoolean()) {
      return PutOutcome.NO_ROOM;
    }
    synchronized (this) {
      requireOpen();
      return insert(binding.name().key(), space, new Entry(ByteBuffer.allocate(0), binding, space));
    }
  }

  private PutOutcome insert(ContentHash key, SpaceId space, Entry entry) {
    Entry present = entries.get(key);
    if (present != null && present.binding == null && entry.binding != null) {
      return PutOutcome.NO_ROOM;
    }
    if (present != null && Objects.equals(present.binding, entry.binding)) {
      present.owners.add(space);
      return PutOutcome.ALREADY_HERE;
    }
    if (present != null) {
      entries.remove(key);
      usedBytes -= present.bytes();
    }
    long limit = limits.getOrDefault(space, Long.MAX_VALUE);
    boolean fits = limit == Long.MAX_VALUE || charged(space) + entry.bytes() <= limit;
    if (!fits || usedBytes + entry.bytes() > capacityBytes) {
      return PutOutcome.NO_ROOM;
    }
    entries.put(key, entry);
    usedBytes += entry.bytes();
    return PutOutcome.STORED;
  }

  @Override
  public synchronized List<Optional<NameBinding>> resolve(List<BlockName> names) {
    requireOpen();
    List<Optional<NameBinding>> bindings = new ArrayList<>();
    for (BlockName name : names) {
      Entry entry = entries.get(name.key());
      bindings.add(Optional.ofNullable(entry == null ? null : entry.binding));
      if (entry != null && entry.binding != null) {
        reads++;
        tell(entry, name.key().fingerprint());
      }
    }
    return bindings;
  }

  private @Nullable Entry blob(ContentHash hash) {
    Entry entry = entries.get(hash);
    return entry == null || entry.binding != null ? null : entry;
  }

  @Override
  public synchronized boolean evict(ContentHash hash, SpaceId space) {
    requireOpen();
    Entry entry = entries.get(hash);
    if (entry == null || !entry.owners.remove(space)) {
      return false;
    }
    if (entry.owners.isEmpty()) {
      entries.remove(hash);
      usedBytes -= entry.bytes();
    }
    return true;
  }

  @Override
  public synchronized boolean evict(long fingerprint, SpaceId space) {
    for (ContentHash hash : List.copyOf(entries.keySet())) {
      if (hash.fingerprint() == fingerprint) {
        return evict(hash, space);
      }
    }
    return false;
  }

  @Override
  public synchronized long evict(Set<SpaceId> spaces, IntPredicate slots) {
    long evicted = 0;
    for (ContentHash hash : List.copyOf(entries.keySet())) {
      for (SpaceId space : spaces) {
        evicted += slots.test(hash.slot()) && evict(hash, space) ? 1 : 0;
      }
    }
    return evicted;
  }

  @Override
  public synchronized long drop(Set<SpaceId> spaces) {
    requireOpen();
    long before = usedBytes;
    for (SpaceId space : spaces) {
      limits.remove(space);
      listeners.remove(space);
      for (ContentHash hash : List.copyOf(entries.keySet())) {
        evict(hash, space);
      }
    }
    return before - usedBytes;
  }

  @Override
  public synchronized void list(Set<SpaceId> spaces, Listing listing) {
    requireOpen();
    entries.forEach((hash, entry) -> {
      for (SpaceId owner : entry.owners) {
        if (spaces.contains(owner)) {
          listing.blob(owner, hash.fingerprint(), entry.bytes());
        }
      }
    });
  }

  @Override
  public synchronized void listen(SpaceId space, LongConsumer read) {
    listeners.put(space, read);
  }

  @Override
  public synchronized void limit(SpaceId space, long bytes) {
    requireOpen();
    limits.put(space, bytes);
  }

  @Override
  public synchronized StoreUsage usage() {
    return new StoreUsage(
        capacityBytes,
        0,
        usedBytes,
        usedBytes,
        entries.size() - names(),
        names(),
        new StoreUsage.Activity(reads, 0, 0, 0, 0));
  }

  private long names() {
    return entries.values().stream().filter(entry -> entry.binding != null).count();
  }

  @Override
  public synchronized List<SpaceUsage> spaces() {
    Set<SpaceId> names = new TreeSet<>(limits.keySet());
    entries.values().forEach(entry -> names.addAll(entry.owners));
    List<SpaceUsage> spaces = new ArrayList<>();
    for (SpaceId name : names) {
      long blobs = entries.values().stream().filter(e -> e.owners.contains(name)).count();
      spaces.add(
          new SpaceUsage(name, limits.getOrDefault(name, Long.MAX_VALUE), charged(name), blobs));
    }
    return spaces;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void tell(Entry entry, long fingerprint) {
    for (SpaceId owner : entry.owners) {
      LongConsumer listener = listeners.get(owner);
      if (listener != null) {
        listener.accept(fingerprint);
      }
    }
  }

  /**
   * Returns the bytes charged to a space; a blob of several spaces is charged to the first of them
   * by name.
   */
  private long charged(SpaceId space) {
    return entries.values().stream()
        .filter(entry -> entry.owners.first().equals(space))
        .mapToLong(Entry::bytes)
        .sum();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the blob store is closed");
    }
  }

  private static final class Entry {
    final ByteBuffer content;
    final int crc32c;
    final TreeSet<SpaceId> owners = new TreeSet<>();

    /** Absent for a blob. */
    final @Nullable NameBinding binding;

    Entry(ByteBuffer bytes, @Nullable NameBinding binding, SpaceId owner) {
      this.binding = binding;
      content = ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
      CRC32C crc = new CRC32C();
      crc.update(content.duplicate());
      crc32c = (int) crc.getValue();
      owners.add(owner);
    }

    long bytes() {
      return binding == null ? content.capacity() : NAME_BYTES;
    }
  }

  private static final class Answer implements BlobBatch {
    final BlobStatus[] statuses;
    final @Nullable Entry[] found;
    int hits;
    long hitBytes;

    Answer(int size) {
      statuses = new BlobStatus[size];
      found = new @Nullable Entry[size];
    }

    void add(int index, Entry entry) {
      statuses[index] = BlobStatus.HIT;
      found[index] = entry;
      hits++;
      hitBytes += entry.content.capacity();
    }

    private Entry hit(int index) {
      Entry entry = found[index];
      if (entry == null) {
        throw new IllegalStateException("no hit at " + index + " but " + statuses[index]);
      }
      return entry;
    }

    @Override
    public int size() {
      return statuses.length;
    }

    @Override
    public BlobStatus status(int index) {
      return statuses[index];
    }

    @Override
    public ByteBuffer bytes(int index) {
      return hit(index).content.asReadOnlyBuffer();
    }

    @Override
    public int crc32c(int index) {
      return hit(index).crc32c;
    }

    @Override
    public int hits() {
      return hits;
    }

    @Override
    public long hitBytes() {
      return hitBytes;
    }

    @Override
    public void close() {}
  }
}
