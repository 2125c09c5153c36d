package io.quiver.client;

import io.quiver.client.buffer.BufferPool.Lease;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs one get: asks every owner for its proportional share and, while the answer is short, asks
 * again for hashes that were left out. Every round settles at least one blob of each part it asks,
 * so the rounds end.
 */
final class GetCall {
  private final BatchSplitter splitter;
  private final GetPart.Context context;
  private final Inquiry inquiry;
  private final GatheredAnswer answer;

  GetCall(BatchSplitter splitter, GetPart.Context context, Inquiry inquiry) {
    this.splitter = splitter;
    this.context = context;
    this.inquiry = inquiry;
    this.answer = new GatheredAnswer(inquiry.size());
  }

  BlobAnswer run() {
    boolean complete = false;
    try {
      int[] open = IntStream.range(0, answer.size()).toArray();
      while (answer.hits() < inquiry.want() && open.length > 0) {
        round(open);
        open = leftOut();
      }
      complete = true;
      return answer;
    } finally {
      if (!complete) {
        answer.close();
      }
    }
  }

  private void round(int[] open) {
    List<BatchSplitter.Group> groups = splitter.split(open, inquiry::hash, Wire.MAX_BATCH);
    int[] sizes = groups.stream().mapToInt(group -> group.size()).toArray();
    int[] shares = Shares.of(sizes, inquiry.want() - answer.hits());
    List<GetPart> parts = new ArrayList<>(groups.size());
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > 0) {
        parts.add(new GetPart(context, groups.get(i), inquiry, shares[i]));
      }
    }
    try {
      Parallel.run(parts);
    } catch (RuntimeException | Error e) {
      parts.forEach(part -> part.leases().forEach(Lease::close));
      throw e;
    }
    parts.forEach(answer::add);
  }

  private int[] leftOut() {
    return IntStream.range(0, answer.size())
        .filter(place -> answer.status(place) == AskStatus.SKIPPED)
        .toArray();
  }

  /** Divides the wanted number of blobs among parts in proportion to the blobs each could give. */
  static final class Shares {
    private Shares() {}

    /**
     * Returns whole-number shares by largest remainder; ties go to the earlier part.
     *
     * @param sizes how much each part could give
     * @param want how much is wanted of all together
     * @return a share for each part, never more than its size, together {@code want} or all there
     *     is
     */
    static int[] of(int[] sizes, int want) {
      long total = Arrays.stream(sizes).asLongStream().sum();
      if (want >= total) {
        return sizes.clone();
      }
      int[] shares = new int[sizes.length];
      long[] remainders = new long[sizes.length];
      int left = want;
      for (int i = 0; i < sizes.length; i++) {
        long exact = (long) sizes[i] * want;
        shares[i] = (int) (exact / total);
        remainders[i] = exact % total;
        left -= shares[i];
      }
      IntStream.range(0, sizes.length)
          .boxed()
          .sorted(Comparator.comparingLong((Integer i) -> -remainders[i]))
          .limit(left)
          .forEach(i -> shares[i]++);
      return shares;
    }
  }
}
