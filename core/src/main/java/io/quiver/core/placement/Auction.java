package io.quiver.core.placement;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gives each slot to its best bidder. Costs never rise with the draw, so among members of equal
 * weight the greatest draw wins and only the winner of each weight needs its logarithm: a thousand
 * equal servers are placed in a fraction of a second.
 */
final class Auction {
  private final long[] seeds;
  private final int[] weights;
  private final int[] order;

  /** Opens an auction among members sorted by name. */
  Auction(List<Member> sorted) {
    seeds = sorted.stream().mapToLong(member -> Weighing.seed(member.id())).toArray();
    weights = sorted.stream().mapToInt(Member::weight).toArray();
    order =
        IntStream.range(0, weights.length)
            .boxed()
            .sorted(Comparator.comparingInt(i -> weights[i]))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  /** Returns the winner of every slot. */
  short[] owners() {
    short[] owners = new short[SlotTable.SLOTS];
    for (int slot = 0; slot < owners.length; slot++) {
      owners[slot] = (short) winner(slot);
    }
    return owners;
  }

  private int winner(int slot) {
    int best = -1;
    long bestDraw = 0;
    int at = 0;
    while (at < order.length) {
      int weight = weights[order[at]];
      int candidate = order[at];
      long candidateDraw = Weighing.draw(seeds[candidate], slot);
      for (at++; at < order.length && weights[order[at]] == weight; at++) {
        long draw = Weighing.draw(seeds[order[at]], slot);
        if (Long.compareUnsigned(draw, candidateDraw) > 0) {
          candidate = order[at];
          candidateDraw = draw;
        }
      }
      if (best < 0 || beats(candidate, candidateDraw, best, bestDraw)) {
        best = candidate;
        bestDraw = candidateDraw;
      }
    }
    return best;
  }

  /** Compares bids: less cost per weight, then the greater draw, then the earlier name. */
  private boolean beats(int one, long oneDraw, int other, long otherDraw) {
    long left = Weighing.cost(oneDraw) * weights[other];
    long right = Weighing.cost(otherDraw) * weights[one];
    if (left != right) {
      return left < right;
    }
    int draws = Long.compareUnsigned(oneDraw, otherDraw);
    return draws != 0 ? draws > 0 : one < other;
  }
}
