package io.quiver.simulator.job;

import io.quiver.core.engine.ReadOrder;
import io.quiver.core.order.BatchSplit;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.job.SimulatedBatch.Request;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts an epoch in order by counts: only the number of unread items of each chunk is known, and an
 * item is the number of its chunk. Draws follow the substituting sampler and share its split
 * between pinned and rotating chunks and among the rotating ones.
 */
final class CountedEpoch implements ReadOrder<Request> {
  private final OrderSetup setup;
  private final SeededNumbers random;
  private final BatchSplit split;
  private final int[] left;
  private int available;
  private int unpromised;
  private int out;

  private CountedEpoch(OrderSetup setup, SeededNumbers random, int[] left) {
    this.setup = setup;
    this.random = random;
    this.left = left;
    this.split = new BatchSplit(Arrays.stream(left).max().orElse(0));
    this.available = Arrays.stream(left).sum();
    this.unpromised = available;
  }

  /** Begins an epoch. */
  static CountedEpoch begin(OrderSetup setup, int epoch) {
    ChunkLayout layout = setup.layout();
    int[] sizes = new int[setup.chunks()];
    Arrays.setAll(
        sizes,
        chunk ->
            share(layout.size(chunk), setup.rank() + 1, setup)
                - share(layout.size(chunk), setup.rank(), setup));
    return new CountedEpoch(setup, SeededNumbers.of(setup.seed(), "epoch " + epoch), sizes);
  }

  /** Returns the items of a chunk that the first so many ranks take together. */
  private static int share(int size, int ranks, OrderSetup setup) {
    return (int) ((long) size * ranks / setup.ranks());
  }

  @Override
  public @Nullable Request draw(Residency residency, RingRole ringRole) {
    int size = Math.min(setup.batch(), available());
    if (size == 0 || (size < setup.batch() && out > 0)) {
      return null;
    }
    List<Integer> pins = residency.pinned();
    int pinned = sum(pins);
    int window = sum(residency.window());
    int want = split.fromCache(residency.ring(), size, pinned + window, available);
    int fromWindow = split.fromWindow(want, pinned, window, available, ringRole);
    int slack = BatchSplit.slack(want, pinned + window, available, setup.batch());
    int[] candidates = new int[want + slack];
    int at = takeAcross(residency.window(), fromWindow, candidates, 0);
    at = takeByLots(pins, left(pins), want - fromWindow, candidates, at);
    int more = Math.min(slack, sum(residency.window()));
    at = takeAcross(residency.window(), more, candidates, at);
    takeByLots(pins, left(pins), slack - more, candidates, at);
    out++;
    unpromised -= size;
    return new CountedRequest(candidates, want, fetch(residency, size - want));
  }

  private int sum(List<Integer> chunks) {
    int sum = 0;
    for (int chunk : chunks) {
      sum += left[chunk];
    }
    return sum;
  }

  private int takeInOrder(List<Integer> chunks, int count, int[] target, int from) {
    int at = from;
    for (int chunk : chunks) {
      int some = Math.min(from + count - at, left[chunk]);
      Arrays.fill(target, at, at + some, chunk);
      at += some;
      take(chunk, some);
    }
    return at;
  }

  private void take(int chunk, int count) {
    left[chunk] -= count;
    available -= count;
  }

  /** Takes from all rotating chunks at once, as {@link BatchSplit#lots} has it. */
  private int takeAcross(List<Integer> window, int count, int[] target, int from) {
    int at = from;
    while (at < from + count) {
      int[] lots = split.lots(left(window));
      int some = Math.min(from + count - at, Arrays.stream(lots).sum());
      at = takeByLots(window, lots, some, target, at);
    }
    return at;
  }

  private int[] left(List<Integer> chunks) {
    return chunks.stream().mapToInt(chunk -> left[chunk]).toArray();
  }

  /** Shares in proportion to the lots; what rounding leaves over comes from any of them. */
  private int takeByLots(List<Integer> chunks, int[] lots, int count, int[] target, int from) {
    long all = Math.max(1, Arrays.stream(lots).asLongStream().sum());
    int at = from;
    for (int i = 0; i < lots.length; i++) {
      int some = (int) (lots[i] * (long) count / all);
      Arrays.fill(target, at, at + some, chunks.get(i));
      at += some;
      lots[i] -= some;
      take(chunks.get(i), some);
    }
    int next = chunks.isEmpty() ? 0 : random.below(chunks.size());
    while (at < from + count) {
      int owner = next++ % lots.length;
      if (lots[owner] > 0) {
        lots[owner]--;
        target[at++] = chunks.get(owner);
        take(chunks.get(owner), 1);
      }
    }
    return at;
  }

  /** Takes from chunks being loaded, then from absent ones, fewest unread items first. */
  private int[] fetch(Residency residency, int count) {
    int[] items = new int[count];
    int at = takeInOrder(residency.loading(), Math.min(count, sum(residency.loading())), items, 0);
    while (at < count) {
      int chunk = fewestLeft();
      at = takeInOrder(List.of(chunk), Math.min(count - at, left[chunk]), items, at);
    }
    return items;
  }

  private int fewestLeft() {
    int fewest = -1;
    for (int chunk = 0; chunk < left.length; chunk++) {
      if (left[chunk] > 0 && (fewest < 0 || left[chunk] < left[fewest])) {
        fewest = chunk;
      }
    }
    return fewest;
  }

  @Override
  public void settle(Request request, int[] read) {
    out--;
    CountedRequest drawn = (CountedRequest) request;
    drawn.count(left, 1);
    for (int chunk : read) {
      left[chunk]--;
    }
    available += drawn.named() - read.length;
    unpromised += drawn.size() - read.length;
  }

  @Override
  public void count(Request request, int[] chunkCounts, int sign) {
    ((CountedRequest) request).count(chunkCounts, sign);
  }

  @Override
  public boolean finished() {
    return unpromised == 0 && out == 0;
  }

  @Override
  public int available() {
    return Math.min(available, unpromised);
  }

  @Override
  public int available(int chunk) {
    return left[chunk];
  }

  @Override
  public int chunks() {
    return setup.chunks();
  }

  @Override
  public int chunkOf(int item) {
    return item;
  }

  /** Spreads the unread items evenly over the new chunks. */
  @Override
  public CountedEpoch divided(int into) {
    OrderSetup other =
        OrderSetup.single(setup.items(), into, setup.batch(), setup.seed())
            .withRank(setup.rank(), setup.ranks());
    ChunkLayout layout = other.layout();
    int[] counts = new int[into];
    long before = 0;
    long items = 0;
    for (int chunk = 0; chunk < into; chunk++) {
      items += layout.size(chunk);
      long upTo = items * available / Math.max(1, setup.items());
      counts[chunk] = (int) (upTo - before);
      before = upTo;
    }
    return new CountedEpoch(other, random, counts);
  }

  /** Asks for any of so many items of each chunk, and for all of so many others. */
  private static final class CountedRequest implements Request {
    private final int[] candidates;
    private final int want;
    private final int[] fetch;

    /**
     * Makes a request.
     *
     * @param candidates the chunk of each candidate, the preferred ones first
     * @param want how many of them are needed
     * @param fetch the chunk of each item that is not expected in the cache
     */
    CountedRequest(int[] candidates, int want, int[] fetch) {
      this.candidates = candidates;
      this.want = want;
      this.fetch = fetch;
    }

    @Override
    public int[] candidates() {
      return candidates;
    }

    @Override
    public int want() {
      return want;
    }

    @Override
    public int size() {
      return want + fetch.length;
    }

    /** Returns how many items it names. */
    int named() {
      return candidates.length + fetch.length;
    }

    /**
     * Returns the rest, for which as many of the first candidates' chunks stand as were not found.
     */
    @Override
    public int[] missing(int[] found) {
      int lacking = want - found.length;
      int[] reads = Arrays.copyOf(fetch, fetch.length + lacking);
      int at = fetch.length;
      int matched = 0;
      for (int i = 0; at < reads.length; i++) {
        if (matched < found.length && found[matched] == candidates[i]) {
          matched++;
        } else {
          reads[at++] = candidates[i];
        }
      }
      return reads;
    }

    /** Adds the sign for each item to the count of its chunk. */
    void count(int[] chunkCounts, int sign) {
      for (int chunk : candidates) {
        chunkCounts[chunk] += sign;
      }
      for (int chunk : fetch) {
        chunkCounts[chunk] += sign;
      }
    }
  }
}
