package io.quiver.simulator.shade;

import io.quiver.core.keep.Ranked;
import java.util.Arrays;

/** Goes by the latest score of each sample, which the job remembers of all (APP). */
final class ScoredReplay implements Replay {
  private final Ranked keeper;
  private final long[] ghost;

  ScoredReplay(int items, int capacity) {
    this.keeper = new Ranked(capacity);
    this.ghost = new long[items];
    Arrays.fill(ghost, Ranked.UNKNOWN);
  }

  boolean holds(int item) {
    return keeper.holds(item);
  }

  @Override
  public boolean read(int item, int epoch, int place) {
    boolean hit = keeper.touch(item);
    if (!hit) {
      keeper.offer(item, 1, ghost[item], victim -> {});
    }
    return hit;
  }

  @Override
  public void learned(int item, int score) {
    ghost[item] = score;
    keeper.rank(item, score);
  }
}
