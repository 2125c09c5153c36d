package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import java.util.List;

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
  private final boolean[] warm;
  private final Index.Probe probe = new Index.Probe();
  private int from;
  private int to;

  /** Keeps the touching of headers from being optimised away. */
  private int touched;

  LookAhead(StoreState state, Warmth warmth, List<ContentHash> hashes, long now) {
    this.state = state;
    this.warmth = warmth;
    this.hashes = hashes;
    this.now = now;
    int run = Math.min(RUN, hashes.size());
    locations = new long[run];
    marks = new int[run];
    warm = new boolean[run];
  }

  /** Makes the answers for this place available, and for some behind it that may be wanted. */
  void reach(int place, int wanted) {
    if (place < to) {
      return;
    }
    from = place;
    to = Math.min(place + Math.min(wanted, locations.length), hashes.size());
    for (int i = from; i < to; i++) {
      locations[i - from] = state.index.find(hashes.get(i), probe);
      marks[i - from] = probe.marks;
    }
    int sum = touched;
    for (int i = 0; i < to - from; i++) {
      long location = locations[i];
      if (location != 0) {
        Segment segment = state.segments.of(location);
        warm[i] = warmth.isWarm(segment, location, now);
        sum += warm[i] ? segment.view().getInt((int) Location.offset(location)) : 0;
      }
    }
    touched = sum;
  }

  /** Where the blob lies, 0 when it is not here. */
  long location(int place) {
    return locations[place - from];
  }

  /** Whether it can be read without waiting for a disk. */
  boolean isWarm(int place) {
    return warm[place - from];
  }

  /** The verification epoch in which it was known to be right. */
  int verified(int place) {
    return marks[place - from] & Index.VERIFIED;
  }
}
