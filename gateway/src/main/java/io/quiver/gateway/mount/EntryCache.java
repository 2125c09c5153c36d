package io.quiver.gateway.mount;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what paths led to, for as long as that may be believed. A listing teaches every entry
 * of a folder at once, so a program that lists and then looks at each file asks the store once.
 */
final class EntryCache {
  private static final int PARTS = 16;

  private final LongSupplier nanoTime;
  private final long validNanos;
  private final Part[] parts = new Part[PARTS];

  /** A thing found, and the time up to which it may be believed. */
  record Known(Resolved found, long until) {}

  EntryCache(int entries, long validNanos, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.validNanos = validNanos;
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new Part((entries + PARTS - 1) / PARTS);
    }
  }

  /** Returns the time up to which something may be believed that is learned now. */
  long until() {
    return nanoTime.getAsLong() + validNanos;
  }

  /** Returns how long something may still be believed; 0 if not at all. */
  long left(Known known) {
    return Math.max(0, known.until - nanoTime.getAsLong());
  }

  /** Returns what is known of a path, or null. */
  @Nullable Known get(String path) {
    if (validNanos == 0) {
      return null;
    }
    Part part = part(path);
    synchronized (part) {
      Known known = part.get(path);
      if (known != null && left(known) == 0) {
        part.remove(path);
        return null;
      }
      return known;
    }
  }

  /** Remembers what a path leads to. */
  void put(String path, Known known) {
    if (validNanos > 0) {
      Part part = part(path);
      synchronized (part) {
        part.put(path, known);
      }
    }
  }

  /** Forgets a path. */
  void remove(String path) {
    Part part = part(path);
    synchronized (part) {
      part.remove(path);
    }
  }

  private Part part(String path) {
    int hash = path.hashCode();
    return parts[(hash ^ (hash >>> 16)) & (PARTS - 1)];
  }

  /** A part with a lock of its own. The oldest entries go first. */
  private static final class Part extends LinkedHashMap<String, Known> {
    private static final long serialVersionUID = 1;

    private final int limit;

    private Part(int limit) {
      this.limit = limit;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
      return size() > limit;
    }
  }
}
