package io.quiver.store.ssd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds segments by the small number that locations carry. A number is reused after its release
 * only.
 */
final class SegmentTable {
  private final BitSet taken = new BitSet();
  private volatile AtomicReferenceArray<@Nullable Segment> segments =
      new AtomicReferenceArray<>(64);

  /** Adds a segment under a free number. */
  synchronized Segment add(Maker maker) throws IOException {
    int id = taken.nextClearBit(0);
    if (id >= Location.MAX_SEGMENTS) {
      throw new IOException("more than " + Location.MAX_SEGMENTS + " segments; use longer ones");
    }
    Segment segment = maker.make(id);
    if (id >= segments.length()) {
      segments = grown(segments);
    }
    segments.set(id, segment);
    taken.set(id);
    return segment;
  }

  private static AtomicReferenceArray<@Nullable Segment> grown(
      AtomicReferenceArray<@Nullable Segment> from) {
    AtomicReferenceArray<@Nullable Segment> next = new AtomicReferenceArray<>(2 * from.length());
    for (int id = 0; id < from.length(); id++) {
      next.set(id, from.get(id));
    }
    return next;
  }

  /** Returns the segment of a location; the caller's epoch keeps it from being released. */
  Segment of(long location) {
    Segment segment = segments.get(Location.segment(location));
    if (segment == null) {
      throw new IllegalStateException("no segment " + Location.segment(location));
    }
    return segment;
  }

  synchronized void release(Segment segment) {
    segments.set(segment.id(), null);
    taken.clear(segment.id());
  }

  List<Segment> all() {
    List<Segment> all = new ArrayList<>();
    AtomicReferenceArray<@Nullable Segment> current = segments;
    for (int id = 0; id < current.length(); id++) {
      Segment segment = current.get(id);
      if (segment != null) {
        all.add(segment);
      }
    }
    return all;
  }

  /** Creates a segment for a number. */
  @FunctionalInterface
  interface Maker {
    Segment make(int id) throws IOException;
  }
}
