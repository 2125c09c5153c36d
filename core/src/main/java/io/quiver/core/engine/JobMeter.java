package io.quiver.core.engine;

import io.quiver.core.plan.probe.Probe;
import io.quiver.core.plan.probe.SpeedMeter;
import io.quiver.core.plan.probe.SpeedMeter.Delivery;
import io.quiver.core.plan.probe.SpeedMeter.MeterConfig;
import io.quiver.core.plan.report.JobSpeeds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the ranks of a job and has them try out what the manager asks for. */
public final class JobMeter {
  private final List<Rank> ranks = new ArrayList<>();
  private long probe;
  private long lastProbe;

  /** Holds what is measured of one rank. */
  private static final class Rank {
    private final SpeedMeter meter;
    private long toCome = -1;
    private int toProbe;
    private int beingProbed;

    Rank(SpeedMeter meter) {
      this.meter = meter;
    }
  }

  /**
   * Makes a meter that has measured nothing.
   *
   * @param ranks how many ranks this process has
   * @param depth how many batches are read ahead
   */
  public JobMeter(int ranks, int depth) {
    for (int i = 0; i < ranks; i++) {
      this.ranks.add(new Rank(new SpeedMeter(MeterConfig.ahead(depth))));
    }
  }

  /** Takes up a probe if it is a new one. */
  public void follow(@Nullable Probe asked) {
    if (asked != null && asked.id() > probe) {
      probe = asked.id();
      ranks.forEach(rank -> rank.toProbe = asked.batches());
    }
  }

  /**
   * Notes that a rank begins an epoch.
   *
   * @param batches how many batches it has still to come in this run; negative if nobody knows
   */
  public void begin(int rank, long batches) {
    Rank own = ranks.get(rank);
    own.meter.begin();
    own.beingProbed = 0;
    own.toCome = batches;
  }

  /** Returns true if the batch a rank reads next is to be supplied as a probe asks. */
  public boolean probesNext(int rank) {
    Rank own = ranks.get(rank);
    boolean probes = own.toProbe > 0;
    own.toProbe -= probes ? 1 : 0;
    own.beingProbed += probes ? 1 : 0;
    return probes;
  }

  /** Takes a delivered batch into account; returns true if a probe ended with it. */
  public boolean delivered(int rank, Delivery batch, long now) {
    Rank own = ranks.get(rank);
    own.meter.delivered(batch, now);
    own.toCome -= own.toCome > 0 ? 1 : 0;
    if (!batch.probed()) {
      return false;
    }
    own.beingProbed = Math.max(0, own.beingProbed - 1);
    boolean ended = ranks.stream().allMatch(each -> each.toProbe + each.beingProbed == 0);
    lastProbe = ended ? probe : lastProbe;
    return ended;
  }

  /** Returns what has been measured of the whole job. */
  public JobSpeeds speeds(long now) {
    List<JobSpeeds> measured = new ArrayList<>();
    ranks.forEach(rank -> measured.add(rank.meter.speeds(rank.toCome, lastProbe, now)));
    return JobSpeeds.together(measured, ranks.size());
  }
}
