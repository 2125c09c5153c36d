package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks up a run of hashes before the first of them is served.
 *
 * <p>Each lookup and each record header is a miss in the processor's caches. Done in short loops,
 * one after the other, many of them wait for memory at the same time; interleaved with the serving,
 * every one would wait alone.
 */
final class LookAhead {
  private static final int RUN = 64;

  private final StoreState state;
  private final Warmth warmth;
  private final List<ContentHash> hashes;
  private final long now;
  private final long[] locations;
  private final int[] marks;
  private final @Nullable ByteBuffer[] views;
  private final Index.Probe probe = new Index.Probe();
  private int from;
  private int to;

  /** Keeps the touching of slots and headers from being optimised away. */
  private long touched;

  LookAhead(StoreState state, Warmth warmth, List<ContentHash> hashes, long now) {
    this.state = state;
    this.warmth = warmth;
    this.hashes = hashes;
    this.now = now;
    int run = Math.min(RUN, hashes.size());
    locations = new long[run];
    marks = new int[run];
    views = new @Nullable ByteBuffer[run];
  }

  /** Makes the answers for this place available, and for some behind it that may be wanted. */
  void reach(int place, int wanted) {
    if (place < to) {
      return;
    }
    from = place;
    to = Math.min(place + Math.min(wanted, locations.length), hashes.size());
    long sum = touched;
    for (int i = from; i < to; i++) {
      sum += state.index.touch(hashes.get(i));
    }
    for (int i = from; i < to; i++) {
      locations[i - from] = state.index.find(hashes.get(i), probe);
      marks[i - from] = probe.marks;
    }
    for (int i = 0; i < to - from; i++) {
      long location = locations[i];
      if (location != 0) {
        Segment segment = state.segments.of(location);
        views[i] = warmth.isWarm(segment, location, now) ? segment.view() : null;
      }
    }
    for (int i = 0; i < to - from; i++) {
      ByteBuffer view = views[i];
      sum += view != null && locations[i] != 0 ? view.get((int) Location.offset(locations[i])) : 0;
    }
    touched = sum;
  }

  /** Where the blob lies, 0 when it is not here. */
  long location(int place) {
    return locations[place - from];
  }

  /** Whether it can be read without waiting for a disk. */
  boolean isWarm(int place) {
    return views[place - from] != null;
  }

  /** The verification epoch in which it was known to be right. */
  int verified(int place) {
    return marks[place - from] & Index.VERIFIED;
  }
}
