package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * Maps hashes to locations, outside the heap, in 64 shards so that growing one is short.
 *
 * <p>An entry knows 62 bits of its hash; whoever reads the record compares the whole hash with the
 * one in the record's header. Beside the location an entry holds marks: whether several spaces own
 * the blob, and the segment's verification epoch when its bytes were last known to be right.
 *
 * <p>Callers have entered an {@link Epochs epoch}.
 */
final class Index {
  /** Mark: several spaces own the blob, or one that is not the space its bytes lie in. */
  static final int SHARED = 0x80;

  /** Marks: the verification epoch, 0 for never. */
  static final int VERIFIED = 0x7f;

  private static final int SHARDS = 64;

  private final IndexShard[] shards = new IndexShard[SHARDS];

  Index(Epochs epochs) {
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new IndexShard(epochs);
    }
  }

  long find(ContentHash hash, Probe probe) {
    return shard(hash).find(tag(hash), probe);
  }

  /** Looks a blob up by its {@link ContentHash#fingerprint()}. */
  long find(long fingerprint, Probe probe) {
    return shards[(int) (fingerprint & (SHARDS - 1))].find(fingerprint & ~IndexTable.MARKS, probe);
  }

  /** Tells the fingerprint and location of every blob that one space alone owns. */
  void forEachUnshared(EntryConsumer consumer) {
    for (int shard = 0; shard < SHARDS; shard++) {
      shards[shard].forEachUnshared(shard, consumer);
    }
  }

  /** Takes an entry of the index. */
  @FunctionalInterface
  interface EntryConsumer {
    void entry(long fingerprint, long location);
  }

  /** Returns the address where a lookup will begin, so that it can be prefetched. */
  long slotAddress(ContentHash hash) {
    return shard(hash).slotAddress(tag(hash));
  }

  boolean insert(ContentHash hash, int marks, long location) {
    return shard(hash).insert(tag(hash), marks, location);
  }

  boolean replace(ContentHash hash, long expected, int marks, long location) {
    return shard(hash).replace(tag(hash), expected, marks, location);
  }

  boolean remove(ContentHash hash, long expected) {
    return shard(hash).remove(tag(hash), expected);
  }

  /** Records the verification epoch in which a blob's bytes were right. */
  void verified(ContentHash hash, long expected, int epoch) {
    shard(hash).verified(tag(hash), expected, epoch);
  }

  /** Removes every unshared blob whose location matches, and reports each of them. */
  void removeUnshared(LongPredicate doomed, LongConsumer removed) {
    for (IndexShard shard : shards) {
      shard.removeUnshared(doomed, removed);
    }
  }

  long size() {
    long size = 0;
    for (IndexShard shard : shards) {
      size += shard.size();
    }
    return size;
  }

  /** Returns the bytes of memory outside the heap. */
  long bytes() {
    long bytes = 0;
    for (IndexShard shard : shards) {
      bytes += shard.bytes();
    }
    return bytes;
  }

  void free() {
    for (IndexShard shard : shards) {
      shard.free();
    }
  }

  // The first bits of a hash choose the server and are not spread evenly on one; take the last.
  private IndexShard shard(ContentHash hash) {
    return shards[(int) (hash.prefix() & (SHARDS - 1))];
  }

  private static long tag(ContentHash hash) {
    return hash.suffix() & ~IndexTable.MARKS;
  }

  /** The result of a lookup; reused, because lookups are many. */
  static final class Probe {
    long location;
    int marks;

    boolean shared() {
      return (marks & SHARED) != 0;
    }

    int verified() {
      return marks & VERIFIED;
    }
  }
}
