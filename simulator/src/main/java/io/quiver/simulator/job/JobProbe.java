package io.quiver.simulator.job;

import io.quiver.core.plan.probe.Delivery;
import io.quiver.core.plan.probe.MeterConfig;
import io.quiver.core.plan.probe.Probe;
import io.quiver.core.plan.probe.SpeedMeter;
import io.quiver.core.plan.probe.SupplyMode;
import io.quiver.core.plan.report.JobSpeeds;
import org.jspecify.annotations.Nullable;

/** Measures a job with the real meter, and has it try out what the manager asks for. */
final class JobProbe {
  private final JobSetup setup;
  private final Runnable news;
  private final SpeedMeter meter;
  private long probe;
  private long lastProbe;
  private int toProbe;
  private int beingProbed;
  private long toCome;

  /**
   * Nothing measured.
   *
   * @param news told when a probe is done
   */
  JobProbe(JobSetup setup, Runnable news) {
    this.setup = setup;
    this.news = news;
    this.meter = new SpeedMeter(MeterConfig.ahead(setup.loader().depth()));
  }

  /** Takes up a probe if it is a new one. */
  void follow(@Nullable Probe asked) {
    if (asked != null && asked.id() > probe) {
      probe = asked.id();
      toProbe = asked.batches();
    }
  }

  /** The job begins an epoch. */
  void begin(int epoch) {
    meter.begin();
    beingProbed = 0;
    long whole = Math.ceilDiv(setup.dataset().items(), setup.batch());
    boolean known = setup.epochs() < Integer.MAX_VALUE;
    toCome = known ? (setup.epochs() - epoch) * whole : -1;
  }

  /** Whether the next batch is to be supplied as a probe asks. */
  boolean probesNext() {
    boolean probes = toProbe > 0;
    toProbe -= probes ? 1 : 0;
    beingProbed += probes ? 1 : 0;
    return probes;
  }

  /** The loop was handed a batch. */
  void delivered(LoadedBatch batch, long nanos, long waitedNanos, long now) {
    SupplyMode supplyMode = batch.supplyMode();
    meter.delivered(
        new Delivery(batch.items().length, nanos, waitedNanos, supplyMode, batch.probed()), now);
    toCome -= toCome > 0 ? 1 : 0;
    if (batch.probed()) {
      beingProbed = Math.max(0, beingProbed - 1);
      if (toProbe + beingProbed == 0) {
        lastProbe = probe;
        news.run();
      }
    }
  }

  JobSpeeds speeds(long now) {
    return meter.speeds(toCome, lastProbe, now);
  }
}
