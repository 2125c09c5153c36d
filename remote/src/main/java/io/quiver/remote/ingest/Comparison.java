package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestItem;
import io.quiver.remote.ingest.DigestDiff.Change;
import io.quiver.remote.ingest.DigestDiff.Summary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/**
 * Compares two digests in three passes: by place, then the rest by content, then it reports what is
 * left. Needs a few bytes of memory for each item, off the heap.
 */
final class Comparison implements AutoCloseable {
  private final DatasetDigest before;
  private final DatasetDigest after;
  private final Consumer<Change> changes;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment matchedBefore;
  private final MemorySegment matchedAfter;
  private long unchanged;
  private long added;
  private long removed;
  private long changed;
  private long moved;

  Comparison(DatasetDigest before, DatasetDigest after, Consumer<Change> changes) {
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.matchedBefore = arena.allocate(Math.max(1, before.itemCount()));
    this.matchedAfter = arena.allocate(Math.max(1, after.itemCount()));
  }

  Summary run() {
    matchPlaces();
    matchContents();
    for (int i = 0; i < before.itemCount(); i++) {
      if (!isMatched(matchedBefore, i)) {
        removed++;
        changes.accept(new Change.Removed(i, before.item(i).location()));
      }
    }
    boolean same = before.identity().equals(after.identity());
    return new Summary(same, unchanged, added, removed, changed, moved);
  }

  @Override
  public void close() {
    arena.close();
  }

  private void matchPlaces() {
    ItemTable places = new ItemTable(arena, before.itemCount());
    for (int i = 0; i < before.itemCount(); i++) {
      places.put(i, placeKey(before, i));
    }
    for (int i = 0; i < after.itemCount(); i++) {
      DigestItem item = after.item(i);
      int old = places.take(placeKey(after, i), found -> samePlace(found, item));
      if (old >= 0) {
        matched(old, i, item);
      }
    }
  }

  private void matched(int old, int now, DigestItem item) {
    mark(matchedBefore, old);
    mark(matchedAfter, now);
    if (before.hash(old).equals(item.hash())) {
      unchanged++;
    } else {
      changed++;
      changes.accept(new Change.Changed(old, now, item.location()));
    }
  }

  private void matchContents() {
    ItemTable contents = new ItemTable(arena, before.itemCount());
    for (int i = 0; i < before.itemCount(); i++) {
      if (!isMatched(matchedBefore, i)) {
        contents.put(i, before.hash(i).prefix());
      }
    }
    for (int i = 0; i < after.itemCount(); i++) {
      if (!isMatched(matchedAfter, i)) {
        matchContent(contents, i);
      }
    }
  }

  private void matchContent(ItemTable contents, int now) {
    DigestItem item = after.item(now);
    int old = contents.take(item.hash().prefix(), i -> before.hash(i).equals(item.hash()));
    if (old < 0) {
      added++;
      changes.accept(new Change.Added(now, item.location()));
      return;
    }
    mark(matchedBefore, old);
    moved++;
    String from = before.item(old).location();
    changes.accept(new Change.Moved(old, now, from, item.location()));
  }

  private boolean samePlace(int old, DigestItem item) {
    DigestItem candidate = before.item(old);
    return candidate.objectName().equals(item.objectName())
        && candidate.name().equals(item.name())
        && (!item.name().isEmpty() || candidate.offset() == item.offset());
  }

  // A member of an archive is found by its name: its offset moves when its neighbours grow.
  private static long placeKey(DatasetDigest digest, int item) {
    String name = digest.itemName(item);
    long inside = name.isEmpty() ? Long.hashCode(digest.offset(item)) : name.hashCode();
    return ((long) digest.objectName(digest.objectIndex(item)).hashCode() << 32) ^ inside;
  }

  private static void mark(MemorySegment marks, int item) {
    marks.set(ValueLayout.JAVA_BYTE, item, (byte) 1);
  }

  private static boolean isMatched(MemorySegment marks, int item) {
    return marks.get(ValueLayout.JAVA_BYTE, item) != 0;
  }
}
