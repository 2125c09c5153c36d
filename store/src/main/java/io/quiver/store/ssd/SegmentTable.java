package io.quiver.store.ssd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds segments by the small number that locations carry. A number is reused after its release
 * only.
 */
final class SegmentTable {
  private final BitSet taken = new BitSet();
  private volatile @Nullable Segment[] segments = new @Nullable Segment[64];

  /** Adds a segment under a free number. */
  synchronized Segment add(Maker maker) throws IOException {
    int id = taken.nextClearBit(0);
    if (id >= Location.MAX_SEGMENTS) {
      throw new IOException("more than " + Location.MAX_SEGMENTS + " segments; use longer ones");
    }
    Segment segment = maker.make(id);
    if (id >= segments.length) {
      segments = Arrays.copyOf(segments, segments.length * 2);
    }
    @Nullable Segment[] next = segments.clone();
    next[id] = segment;
    segments = next;
    taken.set(id);
    return segment;
  }

  /** Returns the segment of a location; the caller's epoch keeps it from being released. */
  Segment of(long location) {
    Segment segment = segments[Location.segment(location)];
    if (segment == null) {
      throw new IllegalStateException("no segment " + Location.segment(location));
    }
    return segment;
  }

  synchronized void release(Segment segment) {
    @Nullable Segment[] next = segments.clone();
    next[segment.id()] = null;
    segments = next;
    taken.clear(segment.id());
  }

  List<Segment> all() {
    List<Segment> all = new ArrayList<>();
    for (Segment segment : segments) {
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
