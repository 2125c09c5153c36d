package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/**
 * Maps hashes and names to locations, outside the heap, in 64 shards so that growing one is short.
 *
 * <p>An entry knows the {@link ContentHash#fingerprint()}, 62 bits of the hash; whoever reads the
 * record compares the whole hash with the one in the record's header. Beside the location an entry
 * holds marks: who owns the blob, and the segment's verification epoch when its bytes were last
 * known to be right.
 *
 * <p>Callers have entered an {@link Epochs epoch}.
 */
final class Index {
  /** Mark: the blob has {@link References}, from spaces other than the one its bytes lie in. */
  static final int SHARED = 0x80;

  /** Mark: the space its bytes lie in does not own the blob any more. */
  static final int DISOWNED = 0x40;

  /** Marks: the verification epoch, 0 for never. */
  static final int VERIFIED = 0x3f;

  /** Number of shards. */
  static final int SHARDS = 64;

  private final IndexShard[] shards = new IndexShard[SHARDS];

  Index(Epochs epochs) {
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new IndexShard(epochs);
    }
  }

  long find(ContentHash hash, Probe probe) {
    return shard(hash).find(tag(hash), probe);
  }

  long find(long fingerprint, Probe probe) {
    return shard(fingerprint).find(tag(fingerprint), probe);
  }

  /** Tells every blob that the space its bytes lie in owns. */
  void forEachOwnedAtHome(EntryConsumer consumer) {
    for (int shard = 0; shard < SHARDS; shard++) {
      forEachOwnedAtHome(shard, consumer);
    }
  }

  /** Tells the blobs of one shard; the consumer must not change the index. */
  void forEachOwnedAtHome(int shard, EntryConsumer consumer) {
    shards[shard].forEachOwnedAtHome(shard, consumer);
  }

  /** Takes an entry of the index. */
  @FunctionalInterface
  interface EntryConsumer {
    void entry(long fingerprint, long location);
  }

  /** Chooses entries by their location and their marks. */
  @FunctionalInterface
  interface EntryFilter {
    boolean matches(long location, int marks);
  }

  /** Returns the address where a lookup will begin, so that it can be prefetched. */
  long slotAddress(ContentHash hash) {
    return shard(hash).slotAddress(tag(hash));
  }

  boolean insert(long fingerprint, int marks, long location) {
    return shard(fingerprint).insert(tag(fingerprint), marks, location);
  }

  boolean replace(long fingerprint, long expected, int marks, long location) {
    return shard(fingerprint).replace(tag(fingerprint), expected, marks, location);
  }

  boolean remove(long fingerprint, long expected) {
    return shard(fingerprint).remove(tag(fingerprint), expected);
  }

  /** Records the verification epoch in which a blob's bytes were right. */
  void verified(ContentHash hash, long expected, int epoch) {
    shard(hash).verified(tag(hash), expected, epoch);
  }

  /** Removes every unshared blob that matches, and reports the location of each of them. */
  void removeUnshared(EntryFilter doomed, LongConsumer removed) {
    for (IndexShard shard : shards) {
      shard.removeUnshared(doomed, removed);
    }
  }

  /** Returns the number of entries: blobs and names. */
  long size() {
    return sum(IndexShard::size);
  }

  long names() {
    return sum(IndexShard::names);
  }

  private long sum(ToLongFunction<IndexShard> count) {
    return Arrays.stream(shards).mapToLong(count).sum();
  }

  /** Returns the bytes of memory outside the heap. */
  long bytes() {
    return sum(IndexShard::bytes);
  }

  void free() {
    for (IndexShard shard : shards) {
      shard.free();
    }
  }

  // The first bits of a hash choose the server and are not spread evenly on one; these are others.
  private IndexShard shard(ContentHash hash) {
    return shards[(int) (hash.prefix() & (SHARDS - 1))];
  }

  private static long tag(ContentHash hash) {
    return tag(hash.fingerprint());
  }

  private IndexShard shard(long fingerprint) {
    return shards[(int) (fingerprint & (SHARDS - 1))];
  }

  private static long tag(long fingerprint) {
    return fingerprint & ~IndexTable.MARKS;
  }

  /** The result of a lookup; reused, because lookups are many. */
  static final class Probe {
    long location;
    int marks;

    boolean shared() {
      return (marks & SHARED) != 0;
    }

    boolean disowned() {
      return (marks & DISOWNED) != 0;
    }

    int verified() {
      return marks & VERIFIED;
    }
  }
}
