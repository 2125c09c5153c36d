package io.quiver.core.stream.tree;

import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Walks over all blocks of a random stream of which nearly everything fits, so that they are read
 * into the cache before programs ask for them (statistical prefetching; IGTCache, §3.3). Knows only
 * what listings show, and ends when the quota is full.
 */
final class StreamFill {
  /** A block that the door had no room or time for is advised so many times at most. */
  private static final int MOST_TRIES = 3;

  /** Multiples of this part of a whole lie evenly on it, however many there are. */
  private static final double GOLDEN = 0.618;

  private static final int MOST_LEVELS = 32;
  private static final long PAUSE_NANOS = 1_000_000_000L;

  /** Names that are looked at for one advice at most. */
  private static final int MOST_STEPS = 1024;

  private final Listings listings;
  private final BlockSizes sizes;
  private long quotaBytes;
  private final Deque<Place> places = new ArrayDeque<>();
  private final String path;
  private final @Nullable String file;
  private final int fileBlocks;
  private int block;
  private long bytes;
  private @Nullable PrefetchAdvice refused;
  private int tries;
  private long notBefore = Long.MIN_VALUE;

  /** A directory with the number of the child that comes next. */
  private static final class Place {
    final String directory;
    final NameList list;
    private int walked;

    Place(String directory, NameList list) {
      this.directory = directory;
      this.list = list;
    }

    boolean isWalked() {
      return walked >= list.size();
    }

    int child() {
      return scattered(walked, list.size());
    }

    void next() {
      walked++;
    }
  }

  /** Begins a walk below a stream. */
  StreamFill(StreamNode stream, Listings listings, BlockSizes sizes, long quotaBytes) {
    this.listings = listings;
    this.sizes = sizes;
    this.quotaBytes = quotaBytes;
    this.path = stream.path();
    this.file = stream.isFile ? path : null;
    this.fileBlocks = stream.isFile ? (int) stream.items() : 0;
    if (file == null) {
      enter(path);
    }
  }

  /** Goes on to another quota; what was walked over is not walked over again. */
  void quota(long bytes) {
    quotaBytes = bytes;
  }

  /** Returns true once anything was advised. */
  boolean hasBegun() {
    return bytes > 0;
  }

  /** Returns true if an advice is for this stream. */
  boolean owns(PrefetchAdvice advice) {
    String of = advice.path();
    return of.startsWith(path)
        && (of.length() == path.length() || path.isEmpty() || of.charAt(path.length()) == '/');
  }

  private void enter(String directory) {
    @Nullable NameList list = listings.of(directory);
    if (list != null && list.isComplete() && places.size() < MOST_LEVELS) {
      places.push(new Place(directory, list));
    }
  }

  /** Returns what is to be read next; null if there is nothing now. */
  @Nullable PrefetchAdvice next(long now) {
    if (now < notBefore) {
      return null;
    }
    @Nullable PrefetchAdvice again = refused;
    if (again != null) {
      refused = null;
      return again;
    }
    if (file != null) {
      long length = sizes.length(Long.MAX_VALUE, 0);
      return block < fileBlocks && !isFull() ? advice(file, length) : null;
    }
    for (int steps = 0; steps < MOST_STEPS && !isFull() && !places.isEmpty(); steps++) {
      @Nullable PrefetchAdvice advice = step(places.element());
      if (advice != null) {
        return advice;
      }
    }
    return null;
  }

  private boolean isFull() {
    return bytes >= quotaBytes;
  }

  private @Nullable PrefetchAdvice step(Place at) {
    if (at.isWalked()) {
      places.pop();
      return null;
    }
    int number = at.child();
    String child = AheadRules.joined(at.directory, at.list.name(number));
    if (at.list.isDirectory(number)) {
      at.next();
      enter(child);
      return null;
    }
    long length = at.list.bytes(number);
    if (block >= sizes.blocks(length) || length == 0) {
      at.next();
      block = 0;
      return null;
    }
    return advice(child, sizes.length(length, block));
  }

  private PrefetchAdvice advice(String object, long length) {
    tries = 0;
    bytes += length;
    int number = block++;
    return new PrefetchAdvice(
        object, file == null ? number : scattered(number, fileBlocks), Purpose.FILL);
  }

  /**
   * Returns a place of so many for each number, all over them. What is in the cache is read faster,
   * so reads of it come in bursts: were it all at the beginning, random reads would look skewed.
   */
  private static int scattered(int number, int places) {
    int step = Math.max(1, (int) (GOLDEN * places));
    while (greatestDivisor(step, places) > 1) {
      step++;
    }
    return (int) ((long) number * step % places);
  }

  private static int greatestDivisor(int one, int other) {
    return other == 0 ? one : greatestDivisor(other, one % other);
  }

  /** Notes the end of an advice: what the door refused comes again a while later. */
  void ended(PrefetchAdvice advice, Outcome outcome, long now) {
    if (outcome == Outcome.DROPPED && refused == null) {
      tries++;
      refused = tries < MOST_TRIES ? advice : null;
      notBefore = now + PAUSE_NANOS;
    }
  }
}
