package io.quiver.gateway.door.metadata;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps answers of the store for a while: at most so many bytes of them, the least recently used go
 * first. An answer is as old as its question. Not safe for use by several threads at once.
 *
 * @param <K> the question
 * @param <V> the answer
 */
final class FreshEntries<K, V> {
  private final long mostBytes;
  private final long freshNanos;
  private final ToLongBiFunction<K, V> size;
  private final BiConsumer<K, V> dropped;
  private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /** An answer, the time of its question and the memory it takes. */
  record Entry<V>(V value, long askedAt, long bytes) {}

  /**
   * Makes an empty cache.
   *
   * @param size estimates the memory of an entry in bytes
   * @param dropped hears of every entry that leaves
   */
  FreshEntries(
      long mostBytes, long freshNanos, ToLongBiFunction<K, V> size, BiConsumer<K, V> dropped) {
    this.mostBytes = mostBytes;
    this.freshNanos = freshNanos;
    this.size = size;
    this.dropped = dropped;
  }

  /** Returns true if an answer to a question of that time may be given now. */
  boolean isFresh(long askedAt, long now) {
    return now - askedAt < freshNanos;
  }

  /** Returns an answer that is fresh, or null. */
  @Nullable V fresh(K key, long now) {
    Entry<V> entry = entries.get(key);
    return entry == null || !isFresh(entry.askedAt, now) ? null : entry.value;
  }

  /** Returns an entry however old it is, or null. */
  @Nullable Entry<V> any(K key) {
    return entries.get(key);
  }

  /** Keeps an answer in place of an older one. */
  void put(K key, V value, long askedAt) {
    remove(key);
    long cost = size.applyAsLong(key, value);
    if (cost > mostBytes) {
      dropped.accept(key, value);
      return;
    }
    bytes += cost;
    entries.put(key, new Entry<>(value, askedAt, cost));
    Iterator<Map.Entry<K, Entry<V>>> eldest = entries.entrySet().iterator();
    while (bytes > mostBytes) {
      Map.Entry<K, Entry<V>> victim = eldest.next();
      eldest.remove();
      bytes -= victim.getValue().bytes;
      dropped.accept(victim.getKey(), victim.getValue().value);
    }
  }

  /** Drops an answer. */
  void remove(K key) {
    Entry<V> entry = entries.remove(key);
    if (entry != null) {
      bytes -= entry.bytes;
      dropped.accept(key, entry.value);
    }
  }

  /** Returns the estimated memory of all entries. */
  long bytes() {
    return bytes;
  }

  /** Returns the number of entries. */
  int size() {
    return entries.size();
  }
}
