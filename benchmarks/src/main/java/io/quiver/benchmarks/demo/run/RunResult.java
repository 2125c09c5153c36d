package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.demo.run.Timeline.Moment;
import io.quiver.client.loader.LoaderStatistics.DeliveredItems;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.node.job.EpochResult.LoopTimes;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The result of all jobs in one mode.
 *
 * @param mode what stood between them and the store
 * @param seconds from the start of the first job to the end of the last
 * @param items items of the data set
 * @param epochs epochs each job ran
 * @param store the items read from the store by all jobs, as the store counts
 * @param windowFraction the rotating part of the cache, as a share of the data set; 0 without one
 * @param jobs each job
 * @param recording what was seen while it ran
 */
public record RunResult(
    DemoMode mode,
    double seconds,
    int items,
    int epochs,
    FetchedItems store,
    double windowFraction,
    List<DemoJobResult> jobs,
    Recording recording) {
  /** Keeps its own copy. */
  public RunResult {
    jobs = List.copyOf(jobs);
  }

  /**
   * The items that all jobs read from the store.
   *
   * @param items how many
   * @param bytes their bytes
   * @param pinned those that the plan keeps across epochs: one fill each
   */
  public record FetchedItems(long items, long bytes, long pinned) {}

  /**
   * The course of a run.
   *
   * @param moments looks at the run in order of time
   * @param residency what the cache held, in order of time; empty without a plan
   * @param orders the order in which the first job was given its items, for each of its epochs
   */
  public record Recording(
      List<Moment> moments, List<ResidencyChange> residency, List<int[]> orders) {
    /** Keeps its own copies. */
    public Recording {
      moments = List.copyOf(moments);
      residency = List.copyOf(residency);
      orders = List.copyOf(orders);
    }
  }

  /** Reads from the store by all jobs together, for each item and epoch. */
  public double readsPerItemEpoch() {
    return store.items / ((double) items * epochs);
  }

  /**
   * Returns the part of it that filled what stays across epochs: paid once, however long jobs run.
   */
  public double fillReadsPerItemEpoch() {
    return store.pinned / ((double) items * epochs);
  }

  /**
   * Returns how many epochs the job in front went through; more than each job's with late or slow
   * ones.
   */
  public double leadEpochs() {
    return LeadEpochs.of(jobs);
  }

  /** Reads beyond that first filling, for each item and epoch of the job in front. */
  public double readsPerItemLeadEpoch() {
    return (store.items - store.pinned) / (items * Math.max(leadEpochs(), 1e-9));
  }

  /** Returns which part of the reads brought in what was there already. */
  public double duplicateFetches() {
    return store.items == 0 ? 0 : (double) duplicates() / store.items;
  }

  /** Returns how many reads brought in what was there already. */
  public long duplicates() {
    return jobs.stream().mapToLong(job -> job.statistics().store().duplicates()).sum();
  }

  /** Returns which part of the items came from the cache. */
  public double hitRatio() {
    return jobs.stream()
        .map(job -> job.statistics().delivered())
        .reduce(DeliveredItems.NOTHING, DeliveredItems::plus)
        .hitRatio();
  }

  /** Returns which part of their time the jobs waited. */
  public double stall() {
    return jobs.stream()
        .map(DemoJobResult::times)
        .reduce(new LoopTimes(0, 0), LoopTimes::plus)
        .stall();
  }

  /** Returns true if every job was given every item exactly once in every epoch. */
  public boolean exactlyOnce() {
    return !jobs.isEmpty() && jobs.stream().allMatch(DemoJobResult::exactlyOnce);
  }

  /**
   * The contents of the cache from a moment on, until the next change.
   *
   * @param seconds when, since the run began
   * @param chunks how many chunks the data set is divided into
   * @param held those in the cache or on their way
   */
  public record ResidencyChange(double seconds, int chunks, List<ChunkEntry> held) {
    /** Keeps its own copy. */
    public ResidencyChange {
      held = List.copyOf(held);
    }
  }

  /**
   * Counts the epochs that the job in front went through while any job ran. Jobs that start
   * together and are equally fast share each turn of the data set, and it is as many as each of
   * them has. Jobs that start late or are slow go on when the first are done, so the data set is
   * gone through more often, and no cache that is smaller can have it read less.
   */
  static final class LeadEpochs {
    private LeadEpochs() {}

    /**
     * Returns the sum over time of the pace of whoever is fastest just then, each taken as even.
     */
    static double of(List<DemoJobResult> jobs) {
      double[] times =
          jobs.stream()
              .flatMapToDouble(job -> DoubleStream.of(job.startSeconds(), job.endSeconds()))
              .sorted()
              .toArray();
      double epochs = 0;
      for (int i = 1; i < times.length; i++) {
        double middle = (times[i - 1] + times[i]) / 2;
        double pace =
            jobs.stream()
                .filter(job -> job.startSeconds() <= middle && middle < job.endSeconds())
                .mapToDouble(job -> job.epochEnds().size() / job.seconds())
                .max()
                .orElse(0);
        epochs += pace * (times[i] - times[i - 1]);
      }
      return epochs;
    }
  }
}
