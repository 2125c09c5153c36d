package io.quiver.core.keep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The keepers again with plain collections: obvious rather than small. */
final class KeeperModel {
  private final KeeperKind kind;
  private final Map<Long, Blob> blobs = new LinkedHashMap<>();
  private long quota;

  private final int prioritiesKept;

  private final class Blob {
    final long bytes;
    final Map<Integer, Long> priorities = new HashMap<>();
    int reads;

    Blob(long bytes) {
      this.bytes = bytes;
    }

    void rank(long priority, int job) {
      priorities.remove(job);
      if (priority != Ranked.UNKNOWN) {
        priorities.put(job, priority);
      }
      if (priorities.size() > prioritiesKept) {
        priorities.values().remove(Collections.min(priorities.values()));
      }
    }

    long priority() {
      return priorities.isEmpty() ? Ranked.UNKNOWN : Collections.max(priorities.values());
    }
  }

  KeeperModel(KeeperKind kind, long quota) {
    this(kind, quota, 1);
  }

  /**
   * Makes a model.
   *
   * @param prioritiesKept how many jobs' priorities are kept for each blob
   */
  KeeperModel(KeeperKind kind, long quota, int prioritiesKept) {
    this.kind = kind;
    this.quota = quota;
    this.prioritiesKept = prioritiesKept;
  }

  @Nullable List<Long> offer(long key, long bytes, long priority) {
    return offer(key, bytes, priority, 0);
  }

  /** Returns the victims in order, or null if the blob is refused. */
  @Nullable List<Long> offer(long key, long bytes, long priority, int job) {
    if (touch(key)) {
      rank(key, priority, job);
      return List.of();
    }
    List<Long> victims = new ArrayList<>();
    long used = used();
    List<Long> order = order();
    while (used + bytes > quota) {
      boolean evicts = kind == KeeperKind.RECENT || kind == KeeperKind.RANKED;
      if (!evicts || bytes > quota || victims.size() == order.size()) {
        return null;
      }
      long next = order.get(victims.size());
      if (kind == KeeperKind.RANKED && blob(next).priority() > priority) {
        return null;
      }
      used -= blob(next).bytes;
      victims.add(next);
    }
    victims.forEach(blobs::remove);
    Blob blob = new Blob(bytes);
    blob.rank(priority, job);
    blobs.put(key, blob);
    return victims;
  }

  private Blob blob(long key) {
    return Objects.requireNonNull(blobs.get(key));
  }

  /** Returns the keys in the order in which they go; ties of ranked blobs are in no order. */
  private List<Long> order() {
    List<Long> keys = new ArrayList<>(blobs.keySet());
    if (kind == KeeperKind.RANKED) {
      keys.sort((left, right) -> {
        Blob a = blob(left);
        Blob b = blob(right);
        int byPriority = Long.compare(a.priority(), b.priority());
        return byPriority != 0 ? byPriority : Integer.compare(a.reads, b.reads);
      });
    }
    return keys;
  }

  boolean touch(long key) {
    Blob blob = blobs.get(key);
    if (blob == null) {
      return false;
    }
    blob.reads = Math.min(Byte.MAX_VALUE, blob.reads + 1);
    if (kind == KeeperKind.RECENT) {
      blobs.remove(key);
      blobs.put(key, blob);
    }
    return true;
  }

  void rank(long key, long priority) {
    boolean _ = rank(key, priority, 0);
  }

  boolean rank(long key, long priority, int job) {
    Blob blob = blobs.get(key);
    if (blob != null) {
      blob.rank(priority, job);
    }
    return blob != null;
  }

  void release(int job) {
    blobs.values().forEach(blob -> blob.rank(Ranked.UNKNOWN, job));
  }

  /** Returns the blobs without a priority. */
  List<Long> unranked() {
    return blobs.keySet().stream().filter(key -> blob(key).priorities.isEmpty()).toList();
  }

  /** Returns the lowest priority kept. */
  long lowest() {
    return blobs.values().stream().mapToLong(Blob::priority).min().orElse(Ranked.UNKNOWN);
  }

  boolean forget(long key) {
    return blobs.remove(key) != null;
  }

  List<Long> resize(long bytes) {
    quota = bytes;
    List<Long> victims = new ArrayList<>();
    List<Long> order = kind == KeeperKind.UNIFORM ? order().reversed() : order();
    while (kind != KeeperKind.FIXED && used() > quota) {
      long victim = order.get(victims.size());
      blobs.remove(victim);
      victims.add(victim);
    }
    return victims;
  }

  boolean holds(long key) {
    return blobs.containsKey(key);
  }

  long used() {
    return blobs.values().stream().mapToLong(blob -> blob.bytes).sum();
  }

  int size() {
    return blobs.size();
  }
}
