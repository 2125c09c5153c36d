package io.quiver.core.benefit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Gives room where a byte saves the most GPU time: any number of pinned chunks, with a rotating
 * window where several jobs share a data set. Contains the paper's three choices (all, two chunks,
 * nothing) as points of one line.
 */
public final class MarginalRoom implements RoomPolicy {
  /** Another division must save this many times as much before anything is moved for it. */
  private static final double CLEARLY = 1.05;

  private static final Comparator<Offer> BEST_FIRST =
      Comparator.<Offer>comparingDouble(offer -> -offer.step.perByte())
          .thenComparingInt(Offer::dataset);

  private record Offer(int dataset, int place, Steps.Step step) {}

  @Override
  public long[] divide(List<DatasetDemand> demands, long room, long[] before) {
    long[] best = best(demands, room);
    return keeps(demands, room, before) && worth(demands, best) < CLEARLY * worth(demands, before)
        ? before.clone()
        : best;
  }

  /** Whether the first step that does not fit is taken in part at once or last depends. */
  private static long[] best(List<DatasetDemand> demands, long room) {
    long[] atOnce = take(demands, room, true);
    long[] last = take(demands, room, false);
    return worth(demands, atOnce) > worth(demands, last) ? atOnce : last;
  }

  /** Takes steps, the best first; of one that does not fit, a part. */
  private static long[] take(List<DatasetDemand> demands, long room, boolean partsAtOnce) {
    long[] shares = floors(demands, room);
    long left = room - Arrays.stream(shares).sum();
    PriorityQueue<Offer> offers = new PriorityQueue<>(BEST_FIRST);
    List<List<Steps.Step>> steps = demands.stream().map(Steps::of).toList();
    for (int i = 0; i < steps.size(); i++) {
      offer(offers, steps, i, 0);
    }
    List<Integer> tooLarge = new ArrayList<>();
    while (!offers.isEmpty()) {
      Offer offer = offers.remove();
      DatasetDemand demand = demands.get(offer.dataset);
      long cost = Math.max(0, demand.bytes(offer.step.chunks()) - shares[offer.dataset]);
      if (cost <= left) {
        offer(offers, steps, offer.dataset, offer.place + 1);
      } else if (partsAtOnce) {
        cost = partOf(demand, shares[offer.dataset], left);
      } else {
        tooLarge.add(offer.dataset);
        continue;
      }
      shares[offer.dataset] += cost;
      left -= cost;
    }
    for (int dataset : tooLarge) {
      long part = partOf(demands.get(dataset), shares[dataset], left);
      shares[dataset] += part;
      left -= part;
    }
    return shares;
  }

  private static void offer(
      PriorityQueue<Offer> offers, List<List<Steps.Step>> steps, int dataset, int place) {
    if (place < steps.get(dataset).size()) {
      offers.add(new Offer(dataset, place, steps.get(dataset).get(place)));
    }
  }

  /** What of the rest helps a data set whose next step does not fit: whole chunks, or nothing. */
  private static long partOf(DatasetDemand demand, long share, long left) {
    int held = chunks(demand, share);
    int fit = Math.min(chunks(demand, share + left), Steps.mostChunks(demand));
    return demand.gpusSaved(fit) > demand.gpusSaved(held) ? demand.bytes(fit) - share : 0;
  }

  private static long[] floors(List<DatasetDemand> demands, long room) {
    long[] shares = new long[demands.size()];
    long left = room;
    for (int i = 0; i < shares.length; i++) {
      DatasetDemand demand = demands.get(i);
      shares[i] =
          Math.min(Math.min(demand.floor(), demand.bytes()), Math.min(demand.limit(), left));
      left -= shares[i];
    }
    return shares;
  }

  /** Whether what there is is allowed still. */
  private static boolean keeps(List<DatasetDemand> demands, long room, long[] before) {
    if (before.length != demands.size() || Arrays.stream(before).sum() > room) {
      return false;
    }
    for (int i = 0; i < before.length; i++) {
      DatasetDemand demand = demands.get(i);
      long least = Math.min(Math.min(demand.floor(), demand.limit()), demand.bytes());
      if (before[i] > demand.limit() || before[i] < least || (before[i] > 0 && !demand.gains())) {
        return false;
      }
    }
    return true;
  }

  private static double worth(List<DatasetDemand> demands, long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += demands.get(i).gpusSaved(chunks(demands.get(i), shares[i]));
    }
    return sum;
  }

  static int chunks(DatasetDemand demand, long share) {
    if (demand.bytes() == 0) {
      return demand.chunks();
    }
    double fit = (double) share * demand.chunks() / demand.bytes();
    return (int) Math.min(demand.chunks(), Math.floor(fit + 1e-6));
  }
}
