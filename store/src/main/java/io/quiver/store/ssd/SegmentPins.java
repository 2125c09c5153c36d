package io.quiver.store.ssd;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the segments that one reader uses from being released, and no others: a reader that takes
 * its time holds up nobody else's disk space.
 *
 * <p>Whoever pins has entered an {@link Epochs epoch} and found the segment in it.
 */
final class SegmentPins {
  private static final int RECENT = 64;

  // Most blobs of a batch lie in few segments; one that is pinned twice is also unpinned twice.
  private final @Nullable Segment[] recent = new @Nullable Segment[RECENT];
  private final List<Segment> pinned = new ArrayList<>();

  void pin(Segment segment) {
    int place = segment.id() & (RECENT - 1);
    if (recent[place] != segment) {
      segment.pin();
      pinned.add(segment);
      recent[place] = segment;
    }
  }

  void release() {
    pinned.forEach(Segment::unpin);
    pinned.clear();
  }
}
