package io.quiver.core.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A loader and a cache that misbehave: chunks come and go at random, the plan is out of date,
 * several draws are out at once and come back in any order, some of them incomplete. Counts what
 * was delivered, and insists that every round makes progress.
 */
final class OrderedJob {
  /** The loader's treatment of candidates that are absent. */
  enum Manner {
    /** Reads what is lacking from the store, so that every batch is whole. */
    COMPLETES,
    /** Delivers only what it found and what it was told to fetch. */
    TAKES_WHAT_IS_THERE,
    /** Now and then delivers only a part, or nothing, of what it was told to fetch, too. */
    FAILS_AT_TIMES
  }

  private final int chunks;
  private final ChunkLayout layout;
  private final Random random;
  private final Manner manner;
  private final int depth;
  private final boolean[] resident;

  OrderedJob(ChunkLayout layout, Manner manner, int depth, Random random) {
    this.chunks = layout.chunks();
    this.layout = layout;
    this.manner = manner;
    this.depth = depth;
    this.random = random;
    this.resident = new boolean[chunks];
  }

  /** The items that a rank delivered. */
  record Outcome(int steps, List<int[]> batches, int padded) {
    int[] order() {
      return batches.stream().flatMapToInt(Arrays::stream).toArray();
    }
  }

  /** Plays until the epoch ends, or so many batches were delivered; what is out then goes back. */
  Outcome play(BatchOrder order, int maxBatches, int[] seen) {
    List<Draw> out = new ArrayList<>();
    List<int[]> batches = new ArrayList<>();
    int padded = 0;
    int fruitless = 0;
    while (!order.finished() && batches.size() < maxBatches) {
      comeAndGo();
      Optional<Draw> draw = out.size() < depth ? order.draw(plan(), ringRole()) : Optional.empty();
      draw.ifPresent(out::add);
      if (draw.isPresent()) {
        continue;
      }
      if (out.isEmpty()) {
        throw new AssertionError("nothing is out, nothing can be drawn, and it is not finished");
      }
      Draw ended = out.remove(random.nextInt(out.size()));
      int[] delivered = deliver(ended);
      order.settle(ended, delivered);
      int padding = ended.paddingAmong(delivered);
      padded += padding;
      int[] own = Arrays.copyOf(ended.paddingLast(delivered), delivered.length - padding);
      Arrays.stream(own).forEach(item -> seen[item]++);
      fruitless = delivered.length == 0 ? fruitless + 1 : 0;
      if (fruitless > 50 * depth) {
        throw new AssertionError("no progress in " + fruitless + " rounds");
      }
      if (delivered.length > 0) {
        batches.add(own);
      }
    }
    out.forEach(draw -> order.settle(draw, new int[0]));
    return new Outcome(batches.size(), batches, padded);
  }

  private void comeAndGo() {
    if (random.nextInt(3) == 0) {
      int chunk = random.nextInt(chunks);
      resident[chunk] = !resident[chunk];
    }
  }

  private RingRole ringRole() {
    return random.nextBoolean() ? RingRole.LEADER : RingRole.FOLLOWER;
  }

  /** Mostly the truth, at times something else altogether. */
  private Residency plan() {
    List<Integer> order = new ArrayList<>(IntStream.range(0, chunks).boxed().toList());
    Collections.shuffle(order, random);
    if (random.nextInt(4) != 0) {
      order.sort((a, b) -> Boolean.compare(resident[b], resident[a]));
    }
    int here = (int) IntStream.range(0, chunks).filter(chunk -> resident[chunk]).count();
    int pinned = random.nextInt(here + 1);
    int window = random.nextInt(here - pinned + 1);
    int loading = random.nextInt(chunks - pinned - window + 1);
    return new Residency(
        order.subList(0, pinned),
        order.subList(pinned, pinned + window),
        order.subList(pinned + window, pinned + window + loading));
  }

  private int[] deliver(Draw draw) {
    int[] found =
        Arrays.stream(draw.candidates())
            .filter(item -> resident[layout.chunkOf(item)])
            .limit(draw.want())
            .toArray();
    if (manner == Manner.COMPLETES) {
      return both(found, draw.missing(found));
    }
    int[] whole = both(found, draw.fetch());
    boolean fails = manner == Manner.FAILS_AT_TIMES && random.nextInt(3) == 0;
    return fails ? Arrays.copyOf(whole, random.nextInt(whole.length + 1)) : whole;
  }

  private static int[] both(int[] one, int[] other) {
    return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
  }
}
