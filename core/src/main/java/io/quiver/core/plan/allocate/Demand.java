package io.quiver.core.plan.allocate;

import java.util.ArrayList;
import java.util.List;

/**
 * The worth of cached bytes to a tenant: the speed of its jobs with each share of its data.
 *
 * @param tenant who asks
 * @param bytes how long its data is
 * @param unread the share of reads that go to the store with each number of steps held
 * @param floor least bytes it must have, because somebody pinned it by hand
 * @param limit most bytes it may have, by quota or by hand; none when it must not be cached
 * @param payer the user whose quota its share counts against; empty for nobody's
 * @param jobs how fast its jobs are, those that were measured
 * @param bytesPerSecond how many bytes its readers read in a second, from wherever; 0 while unknown
 */
public record Demand(
    Tenant tenant,
    long bytes,
    UnreadCurve unread,
    long floor,
    long limit,
    String payer,
    List<JobSpeed> jobs,
    double bytesPerSecond) {
  /** Keeps its own copy and refuses what cannot be. */
  public Demand {
    jobs = List.copyOf(jobs);
    if (bytes < 0 || limit < 0 || floor < 0) {
      throw new IllegalArgumentException(
          "%s: %d bytes, from %d to %d".formatted(tenant.text(), bytes, floor, limit));
    }
  }

  /** Returns the demand of a tenant without quota. */
  public static Demand of(Tenant tenant, long bytes, UnreadCurve unread, List<JobSpeed> jobs) {
    return new Demand(tenant, bytes, unread, 0, Long.MAX_VALUE, "", jobs, 0);
  }

  /**
   * Returns the demand of a data set in chunks. What its jobs can bring in together is the sum of
   * what each reads by itself, whether each has a link of its own or all share one; jobs that were
   * not measured count like the others.
   *
   * @param window how many chunks rotate where several jobs share what does not fit
   * @param readers how many jobs read it, measured or not
   */
  public static Demand ring(
      Tenant dataset, long bytes, int chunks, int window, int readers, List<JobSpeed> jobs) {
    double sum = 0;
    for (JobSpeed job : jobs) {
      sum += 1 / job.missSeconds();
    }
    double supply = sum * readers / Math.max(1, jobs.size());
    List<JobSpeed> sharing = jobs.stream().map(job -> job.sharing(supply)).toList();
    return of(dataset, bytes, UnreadCurve.ring(chunks, window, readers > 1), sharing);
  }

  /** Returns a copy with these bounds. */
  public Demand within(long least, long most) {
    return new Demand(tenant, bytes, unread, least, most, payer, jobs, bytesPerSecond);
  }

  /** Returns a copy that others read as well, who bring nothing in for each other. */
  public Demand joinedBy(List<JobSpeed> others) {
    List<JobSpeed> all = new ArrayList<>(jobs);
    all.addAll(others);
    return new Demand(tenant, bytes, unread, floor, limit, payer, all, bytesPerSecond);
  }

  /** Returns a copy whose readers read so many bytes in a second. */
  public Demand reading(double rate) {
    return new Demand(tenant, bytes, unread, floor, limit, payer, jobs, rate);
  }

  /** Returns a copy on another user's account. */
  public Demand paidBy(String user) {
    return new Demand(tenant, bytes, unread, floor, limit, user, jobs, bytesPerSecond);
  }

  /** Returns the number of steps its data is divided into. */
  public int steps() {
    return unread.steps();
  }

  /** Returns the most bytes it can use. */
  long most() {
    return Math.min(bytes, limit);
  }

  /** Returns the least bytes it must have. */
  long least() {
    return Math.min(floor, most());
  }

  /** Returns how many bytes so many steps take. */
  public long bytes(int held) {
    return (long) Math.ceil((double) bytes * held / steps());
  }

  /** Returns how many steps so many bytes hold. */
  public int steps(long share) {
    if (bytes == 0) {
      return steps();
    }
    double fit = (double) share * steps() / bytes;
    return (int) Math.min(steps(), Math.floor(fit + 1e-6));
  }

  /** Returns how many steps it may have at most. */
  int mostSteps() {
    int most = steps(most());
    return bytes(most) > most() ? most - 1 : most;
  }

  /**
   * Returns the time of an item for a job when so many steps are held. Where chunks rotate, jobs
   * bring in together what is not pinned; elsewhere each reads the store by itself.
   */
  public double itemSeconds(JobSpeed job, int held) {
    return itemSeconds(job, unread.at(held), rotates(held));
  }

  private static double itemSeconds(JobSpeed job, double unread, boolean rotates) {
    boolean together = rotates && job.sharedSeconds() > 0;
    double fromStore =
        together ? Math.min(job.sharedSeconds(), job.missSeconds()) : job.missSeconds();
    return job.itemSeconds(unread, fromStore);
  }

  private boolean rotates(int held) {
    return tenant instanceof DatasetKey && unread.liesAboveDiagonal(held);
  }

  /** Returns how many GPUs' work is won by holding so many steps. */
  public double gpusSaved(int held) {
    double sum = 0;
    for (JobSpeed job : jobs) {
      sum += job.gains() ? job.gpusSaved(itemSeconds(job, held)) : 0;
    }
    return sum;
  }

  /** Returns that for every number of steps, from none to all. */
  double[] gpusSaved() {
    double[] saved = new double[steps() + 1];
    List<JobSpeed> gaining = jobs.stream().filter(JobSpeed::gains).toList();
    for (int held = 0; held < saved.length && !gaining.isEmpty(); held++) {
      double left = unread.at(held);
      boolean rotates = rotates(held);
      for (JobSpeed job : gaining) {
        saved[held] += job.gpusSaved(itemSeconds(job, left, rotates));
      }
    }
    return saved;
  }

  /** Returns true if any of its jobs gains from a cache. */
  public boolean gains() {
    return jobs.stream().anyMatch(JobSpeed::gains);
  }
}
