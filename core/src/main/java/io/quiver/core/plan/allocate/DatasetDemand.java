package io.quiver.core.plan.allocate;

import java.util.List;

/**
 * A data set with the jobs that read it: what its share of the cache is worth.
 *
 * @param bytes how long it is
 * @param chunks how many chunks it is divided into
 * @param window how many of them rotate where several jobs share what does not fit
 * @param readers how many jobs read it, measured or not
 * @param limit most bytes it may have, by quota or by hand; none when it must not be cached
 * @param floor least bytes it must have, because somebody pinned it by hand
 * @param payer the user whose quota its share counts against; empty for nobody's
 * @param jobs how fast its jobs are, those that were measured
 */
public record DatasetDemand(
    long bytes,
    int chunks,
    int window,
    int readers,
    long limit,
    long floor,
    String payer,
    List<JobSpeed> jobs) {
  /** Keeps its own copy and refuses what cannot be. */
  public DatasetDemand {
    jobs = List.copyOf(jobs);
    if (bytes < 0 || chunks < 1 || window < 1 || limit < 0 || floor < 0 || readers < jobs.size()) {
      throw new IllegalArgumentException(
          "%d bytes in %d chunks, %d rotating, from %d to %d bytes for %d jobs, %d of them measured"
              .formatted(bytes, chunks, window, floor, limit, readers, jobs.size()));
    }
  }

  /** A data set without quota, all of whose jobs were measured. */
  public static DatasetDemand of(long bytes, int chunks, int window, List<JobSpeed> jobs) {
    return new DatasetDemand(bytes, chunks, window, jobs.size(), Long.MAX_VALUE, 0, "", jobs);
  }

  /** The same with these bounds. */
  public DatasetDemand within(long least, long most) {
    return new DatasetDemand(bytes, chunks, window, readers, most, least, payer, jobs);
  }

  /** The same on another user's account. */
  public DatasetDemand paidBy(String user) {
    return new DatasetDemand(bytes, chunks, window, readers, limit, floor, user, jobs);
  }

  /** The most it can use. */
  long most() {
    return Math.min(bytes, limit);
  }

  /** The least it must have. */
  long least() {
    return Math.min(floor, most());
  }

  /** How many bytes so many chunks take. */
  public long bytes(int held) {
    return (long) Math.ceil((double) bytes * held / chunks);
  }

  /** How many chunks so many bytes hold. */
  public int chunks(long share) {
    if (bytes == 0) {
      return chunks;
    }
    double fit = (double) share * chunks / bytes;
    return (int) Math.min(chunks, Math.floor(fit + 1e-6));
  }

  /** How many chunks it may have at most. */
  int mostChunks() {
    int most = chunks(most());
    return bytes(most) > most() ? most - 1 : most;
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
    for (JobSpeed job : jobs) {
      int most = job.gains() ? chunks : -1;
      for (int held = 0; held <= most; held++) {
        saved[held] += job.gpusSaved(itemSeconds(job, held, supply));
      }
    }
    return saved;
  }

  /**
   * Items a second that all jobs together can bring in. Each reads the store as fast as it does by
   * itself, so it is the sum, whether each has a link of its own or all share one; those that were
   * not measured count like the others.
   */
  private double supply() {
    double sum = 0;
    for (JobSpeed job : jobs) {
      sum += 1 / job.missSeconds();
    }
    return jobs.isEmpty() ? 0 : sum * readers / jobs.size();
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
    boolean ring = readers > 1 && held >= window && held < chunks;
    double fromStore = job.missSeconds();
    if (ring) {
      double shared = job.sharedSeconds() > 0 ? job.sharedSeconds() : 1 / supply;
      fromStore = Math.min(shared, fromStore);
    }
    double unpinned = 1 - (double) (ring ? held - window : held) / chunks;
    return Math.max(job.hitSeconds(), unpinned * fromStore);
  }

  /** Whether any of its jobs gains from a cache. */
  public boolean gains() {
    return jobs.stream().anyMatch(JobSpeed::gains);
  }
}
