package io.quiver.core.plan;

import io.quiver.core.benefit.DatasetDemand;
import io.quiver.core.benefit.EqualRoom;
import io.quiver.core.benefit.GreedyRoom;
import io.quiver.core.benefit.MarginalRoom;
import io.quiver.core.benefit.Room;
import io.quiver.core.benefit.RoomPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Divides the room among the data sets that are read, in three rounds.
 *
 * <ol>
 *   <li>Data sets whose jobs have not been measured get a trial: their rotating window, at most
 *       their equal share of everything. That is enough for jobs to share what they read and little
 *       enough to take next to nothing from the others.
 *   <li>Those whose jobs have been measured get what it is worth to them, by the policy.
 *   <li>What is left goes to all of them in equal parts, which spares the store; data sets whose
 *       jobs gain nothing come last and get what no other can use. (The paper's planner leaves it
 *       empty.)
 * </ol>
 */
final class Rooms {
  private static final RoomPolicy EQUAL = new EqualRoom();
  private static final long[] NOTHING = {};

  private final RoomPolicy policy;
  private final boolean paper;

  Rooms(PlannerKind kind) {
    this.paper = kind == PlannerKind.GREEDY3;
    this.policy = paper ? new GreedyRoom() : new MarginalRoom();
  }

  Map<DatasetKey, Share> divide(List<Claimant> claimants, Room room) {
    List<DatasetDemand> all = claimants.stream().map(Claimant::demand).toList();
    long[] planned = trials(claimants, EQUAL.divide(all, room, NOTHING));
    decide(claimants, room, planned);
    long[] whole = fill(claimants, room, planned);
    Map<DatasetKey, Share> shares = new HashMap<>();
    for (int i = 0; i < whole.length; i++) {
      shares.put(claimants.get(i).dataset(), new Share(planned[i], whole[i] - planned[i]));
    }
    return shares;
  }

  /** What those get of which nothing is known. */
  private static long[] trials(List<Claimant> claimants, long[] equal) {
    long[] trials = new long[claimants.size()];
    for (int i = 0; i < trials.length; i++) {
      DatasetDemand demand = claimants.get(i).demand();
      long window = demand.bytes(Math.min(demand.window(), demand.chunks()));
      long least = Math.max(window, Math.min(demand.floor(), demand.bytes()));
      trials[i] = claimants.get(i).measured() ? 0 : Math.min(equal[i], least);
    }
    return trials;
  }

  /** Has the policy decide about the measured ones in the room beside the trials. */
  private void decide(List<Claimant> claimants, Room room, long[] planned) {
    List<Integer> places = new ArrayList<>();
    List<DatasetDemand> demands = new ArrayList<>();
    for (int i = 0; i < planned.length; i++) {
      if (claimants.get(i).measured()) {
        places.add(i);
        demands.add(claimants.get(i).demand());
      }
    }
    long[] before = new long[places.size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = claimants.get(places.get(i)).before().planned();
    }
    long[] decided = policy.divide(demands, beside(claimants, room, planned), before);
    for (int i = 0; i < decided.length; i++) {
      planned[places.get(i)] = decided[i];
    }
  }

  private static Room beside(List<Claimant> claimants, Room room, long[] taken) {
    Map<String, Long> quotas = new HashMap<>(room.quotas());
    long left = room.bytes();
    for (int i = 0; i < taken.length; i++) {
      long bytes = taken[i];
      left -= bytes;
      quotas.computeIfPresent(
          claimants.get(i).demand().payer(), (payer, quota) -> Math.max(0, quota - bytes));
    }
    return new Room(left, quotas);
  }

  /**
   * Gives out what is left: to those who may gain from it, and what they cannot use to the rest.
   */
  private long[] fill(List<Claimant> claimants, Room room, long[] planned) {
    if (!paper) {
      long[] useful = fill(claimants, room, planned, Rooms::mayGain);
      return fill(claimants, room, useful, claimant -> true);
    }
    long[] whole = fill(claimants, room, planned, claimant -> !claimant.measured());
    for (int i = 0; i < whole.length; i++) {
      long rounded = GreedyRoom.rounded(claimants.get(i).demand(), whole[i]);
      whole[i] = Math.max(planned[i], rounded);
    }
    return whole;
  }

  private static boolean mayGain(Claimant claimant) {
    return !claimant.measured() || claimant.demand().gains();
  }

  /** Nobody gets less than before, and only those that are let in more. */
  private static long[] fill(
      List<Claimant> claimants, Room room, long[] before, Predicate<Claimant> letIn) {
    List<DatasetDemand> demands = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      Claimant claimant = claimants.get(i);
      long most = letIn.test(claimant) ? claimant.demand().limit() : before[i];
      demands.add(claimant.demand().within(before[i], Math.max(most, before[i])));
    }
    return EQUAL.divide(demands, room, NOTHING);
  }
}
