package io.quiver.core.benefit;

import java.util.Arrays;
import java.util.List;

/**
 * A data set with the jobs that read it: what its share of the cache is worth.
 *
 * @param bytes how long it is
 * @param chunks how many chunks it is divided into
 * @param limit most bytes it may have, by quota or by hand; none when it must not be cached
 * @param floor least bytes it must have, because somebody pinned it by hand
 * @param jobs how fast its jobs are
 */
public record DatasetDemand(long bytes, int chunks, long limit, long floor, List<JobSpeed> jobs) {
  /** Chunks that rotate where several jobs share a data set that does not fit. */
  public static final int WINDOW = 2;

  /** Keeps its own copy and refuses what cannot be. */
  public DatasetDemand {
    jobs = List.copyOf(jobs);
    if (bytes < 0 || chunks < 1 || limit < 0 || floor < 0) {
      throw new IllegalArgumentException(
          bytes + " bytes in " + chunks + " chunks, from " + floor + " to " + limit + " bytes");
    }
  }

  /** A data set without quota. */
  public static DatasetDemand of(long bytes, int chunks, List<JobSpeed> jobs) {
    return new DatasetDemand(bytes, chunks, Long.MAX_VALUE, 0, jobs);
  }

  /** How many bytes so many chunks take. */
  public long bytes(int held) {
    return (long) Math.ceil((double) bytes * held / chunks);
  }

  /** The time of an item for a job when so many chunks are held. */
  public double itemSeconds(JobSpeed job, int held) {
    return itemSeconds(job, held, supply());
  }

  /** How many GPUs' work is won by holding so many chunks. */
  public double gpusSaved(int held) {
    return gpusSaved(held, supply());
  }

  /** The same for every number of chunks, from none to all. */
  double[] gpusSaved() {
    double supply = supply();
    double[] saved = new double[chunks + 1];
    Arrays.setAll(saved, held -> gpusSaved(held, supply));
    return saved;
  }

  /**
   * Items a second that all jobs together can bring in. Each reads the store as fast as it does by
   * itself, so it is the sum, whether each has a link of its own or all share one.
   */
  private double supply() {
    return jobs.stream().mapToDouble(job -> 1 / job.missSeconds()).sum();
  }

  private double gpusSaved(int held, double supply) {
    double sum = 0;
    for (JobSpeed job : jobs) {
      sum += job.gains() ? job.gpusSaved(itemSeconds(job, held, supply)) : 0;
    }
    return sum;
  }

  /** Jobs together bring in what is not pinned once; a job alone reads what is not held. */
  private double itemSeconds(JobSpeed job, int held, double supply) {
    boolean ring = jobs.size() > 1 && held >= WINDOW && held < chunks;
    double pinned = (double) (ring ? held - WINDOW : held) / chunks;
    double shared = job.sharedSeconds() > 0 ? job.sharedSeconds() : 1 / supply;
    double fromStore = ring ? shared : job.missSeconds();
    return Math.max(job.hitSeconds(), (1 - pinned) * fromStore);
  }

  /** Whether any of its jobs gains from a cache. */
  public boolean gains() {
    return jobs.stream().anyMatch(JobSpeed::gains);
  }
}
