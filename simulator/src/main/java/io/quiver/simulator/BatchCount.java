package io.quiver.simulator;

import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.Scenario.DatasetSpec;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario.Limits;
import io.quiver.simulator.trace.Trace;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Counts the batches of a simulation as they are worked on, for a progress bar. */
public final class BatchCount implements Trace {
  private final LongConsumer listener;
  private long batches;

  /** Tells a listener after every batch how many there were. */
  public BatchCount(LongConsumer listener) {
    this.listener = listener;
  }

  /** Returns the number of batches of a scenario, or −1 if a job ends by the clock. */
  public static long expected(Scenario scenario) {
    Map<String, Long> items =
        scenario.inventory().datasets().stream()
            .collect(Collectors.toMap(DatasetSpec::name, each -> (long) each.items()));
    long all = 0;
    for (JobSpec job : scenario.jobs()) {
      Limits limits = job.limits();
      if (limits.nanos() < Long.MAX_VALUE) {
        return -1;
      }
      int ranks = job.machines().size();
      long share = Math.ceilDiv(items.getOrDefault(job.dataset(), 0L), ranks);
      long perEpoch = Math.ceilDiv(share, job.batch());
      boolean ends = limits.epochs() < Integer.MAX_VALUE;
      all += ranks * Math.min(limits.batches(), ends ? limits.epochs() * perEpoch : Long.MAX_VALUE);
    }
    return all;
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    listener.accept(++batches);
  }
}
