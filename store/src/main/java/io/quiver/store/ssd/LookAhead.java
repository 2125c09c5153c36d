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
  private final long[] addresses;
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
    warm = new boolean[run];
    addresses = new long[run];
  }

  /** Looks up the hash at this index and some behind it that may be wanted. */
  void reach(int place, int wanted) {
    if (place < to) {
      return;
    }
    from = place;
    to = Math.min(place + Math.min(wanted, locations.length), hashes.size());
    int count = to - from;
    for (int i = 0; i < count; i++) {
      addresses[i] = state.index.slotAddress(hashes.get(from + i));
    }
    long sum = touched + Libc.touch(addresses, count);
    for (int i = 0; i < count; i++) {
      locations[i] = state.index.find(hashes.get(from + i), probe);
      marks[i] = probe.marks;
    }
    touched = sum + Libc.touch(addresses, warmRecords(count));
  }

  /** Records which blobs are in memory and returns their number. */
  private int warmRecords(int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      long location = locations[i];
      warm[i] = false;
      if (location != 0) {
        Segment segment = state.segments.of(location);
        warm[i] = warmth.isWarm(segment, location, now);
        if (warm[i]) {
          addresses[found++] = segment.address() + Location.offset(location);
        }
      }
    }
    return found;
  }

  /** Returns the location of the blob, or 0 if it is not in the store. */
  long location(int place) {
    return locations[place - from];
  }

  /** Returns true if the blob can be read without waiting for a disk. */
  boolean isWarm(int place) {
    return warm[place - from];
  }

  /** Returns true if several spaces own the blob, or one that its bytes do not lie in. */
  boolean isShared(int place) {
    return (marks[place - from] & Index.SHARED) != 0;
  }

  /** Returns the verification epoch in which the blob was known to be right. */
  int verified(int place) {
    return marks[place - from] & Index.VERIFIED;
  }
}
