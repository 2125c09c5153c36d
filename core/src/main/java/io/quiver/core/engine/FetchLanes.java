package io.quiver.core.engine;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose read from the store is next. What a batch waits for goes before what is read for
 * later; but while nothing is being brought in, every sixteenth read is a preload, or a job that
 * the store holds up would never get anything into the cache.
 */
public final class FetchLanes {
  /** Tells what a read is for, the most urgent first. */
  public enum Lane {
    /** A batch needs it. */
    DEMAND,
    /** A batch will need it. */
    AHEAD,
    /** A chunk is brought in ahead of time. */
    PRELOAD
  }

  private final int most;
  private final int mostPreloads;
  private final Map<Lane, Integer> waiting = new EnumMap<>(Lane.class);
  private int active;
  private int preloading;
  private int sincePreload;

  /**
   * Bounds the reads that are under way.
   *
   * @param most how many in all
   * @param mostPreloads how many that bring chunks in
   */
  public FetchLanes(int most, int mostPreloads) {
    this.most = most;
    this.mostPreloads = mostPreloads;
  }

  /** Notes that one more read waits. */
  public void arrive(Lane lane) {
    waiting.merge(lane, 1, Integer::sum);
  }

  /** Notes that a read waits no more. */
  public void depart(Lane lane) {
    waiting.merge(lane, -1, Integer::sum);
  }

  /** Returns how many reads wait in a lane. */
  public int waiting(Lane lane) {
    return waiting.getOrDefault(lane, 0);
  }

  /** Returns the lane whose read begins next; null while none may begin. */
  public @Nullable Lane next() {
    if (active >= most) {
      return null;
    }
    boolean mayPreload = preloading < mostPreloads;
    boolean starved = preloading == 0 && sincePreload >= ReadRules.PRELOAD_EVERY - 1;
    if (waiting(Lane.PRELOAD) > 0 && starved && mayPreload) {
      return Lane.PRELOAD;
    }
    for (Lane lane : Lane.values()) {
      if (waiting(lane) > 0) {
        return lane == Lane.PRELOAD && !mayPreload ? null : lane;
      }
    }
    return null;
  }

  /** Notes that a read begins. */
  public void enter(Lane lane) {
    active++;
    preloading += lane == Lane.PRELOAD ? 1 : 0;
    sincePreload = lane == Lane.PRELOAD ? 0 : sincePreload + 1;
  }

  /** Notes that a read has ended. */
  public void leave(Lane lane) {
    active--;
    preloading -= lane == Lane.PRELOAD ? 1 : 0;
  }

  /** Returns how many reads are under way. */
  public int active() {
    return active;
  }
}
