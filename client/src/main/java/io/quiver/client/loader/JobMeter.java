package io.quiver.client.loader;

import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.probe.Delivery;
import io.quiver.core.plan.probe.MeterConfig;
import io.quiver.core.plan.probe.Probe;
import io.quiver.core.plan.probe.SpeedMeter;
import io.quiver.core.plan.report.JobSpeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures a job's ranks and has them try out what the manager asks for. Safe for use by several
 * threads.
 */
final class JobMeter {
  private final LoaderConfig config;
  private final Runnable news;
  // All below guarded by this.
  private final Map<Integer, Rank> ranks = new HashMap<>();
  private long probe;
  private long lastProbe;

  /** One rank. */
  private static final class Rank {
    private final SpeedMeter meter;
    private long toCome;
    private int toProbe;
    private int beingProbed;

    Rank(SpeedMeter meter) {
      this.meter = meter;
    }
  }

  /**
   * Nothing measured.
   *
   * @param news to be run when a probe is done
   */
  JobMeter(LoaderConfig config, Runnable news) {
    this.config = config;
    this.news = news;
    for (int i = 0; i < config.ranksHere(); i++) {
      MeterConfig meter = MeterConfig.ahead(config.ahead().batches());
      ranks.put(config.rank() + i, new Rank(new SpeedMeter(meter)));
    }
  }

  /** Takes up a probe if the plan has a new one. */
  synchronized void follow(JobPlan plan) {
    Probe asked = plan.probe();
    if (asked != null && asked.id() > probe) {
      probe = asked.id();
      ranks.values().forEach(rank -> rank.toProbe = asked.batches());
    }
  }

  /** A rank begins an epoch of so many items. */
  synchronized void begin(int rank, int epoch, int items) {
    Rank own = rank(rank);
    own.meter.begin();
    own.beingProbed = 0;
    long whole = batches(Math.ceilDiv(config.digest().itemCount(), config.ranks()));
    own.toCome = batches(items) + (config.epochs() - 1L - epoch) * whole;
  }

  private long batches(int items) {
    return Math.ceilDiv(items, config.batch());
  }

  /** Whether the batch a rank reads next is to be supplied as a probe asks. */
  synchronized boolean probesNext(int rank) {
    Rank own = rank(rank);
    boolean probes = own.toProbe > 0;
    own.toProbe -= probes ? 1 : 0;
    own.beingProbed += probes ? 1 : 0;
    return probes;
  }

  /** A rank was handed a batch. */
  void delivered(int rank, Delivery batch, long now) {
    if (note(rank, batch, now)) {
      news.run();
    }
  }

  /** Says whether a probe ended with it. */
  private synchronized boolean note(int rank, Delivery batch, long now) {
    Rank own = rank(rank);
    own.meter.delivered(batch, now);
    own.toCome = Math.max(0, own.toCome - 1);
    if (!batch.probed()) {
      return false;
    }
    own.beingProbed = Math.max(0, own.beingProbed - 1);
    boolean ended = ranks.values().stream().allMatch(each -> each.toProbe + each.beingProbed == 0);
    lastProbe = ended ? probe : lastProbe;
    return ended;
  }

  synchronized JobSpeeds speeds(long now) {
    List<JobSpeeds> measured = new ArrayList<>();
    ranks.values().forEach(rank -> measured.add(rank.meter.speeds(rank.toCome, lastProbe, now)));
    return JobSpeeds.together(measured, config.ranksHere());
  }

  @SuppressWarnings("NullAway") // Every rank of this process has one.
  private Rank rank(int rank) {
    return ranks.get(rank);
  }
}
