package io.quiver.core.ledger;

import io.quiver.core.order.SamplerKind;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Names the job, data set, order and rank that a ledger is about.
 *
 * @param job the job's name, equal in the ledgers of all its ranks
 * @param dataset the first eight hexadecimal digits of the data set's identity, which is no secret
 *     in this length
 * @param items how many items the data set has
 * @param seed the seed of the order
 * @param order the order, which decides what the ledger proves
 * @param rank the number of the process that wrote this, from 0
 * @param ranks how many processes shared the epochs
 */
public record LedgerHeader(
    String job, String dataset, int items, long seed, LedgerOrder order, int rank, int ranks) {
  /** Most bytes of a job's name. */
  public static final int MAX_JOB_BYTES = 255;

  private static final Pattern DATASET = Pattern.compile("[0-9a-f]{8}");

  /** Checks every part. */
  public LedgerHeader {
    int jobBytes = job.getBytes(StandardCharsets.UTF_8).length;
    if (jobBytes < 1 || jobBytes > MAX_JOB_BYTES) {
      throw new IllegalArgumentException(
          "a job's name has 1 to " + MAX_JOB_BYTES + " bytes; this one has " + jobBytes);
    }
    if (!DATASET.matcher(dataset).matches()) {
      throw new IllegalArgumentException(
          "a ledger names its data set by the first 8 hexadecimal digits of its identity, not by "
              + dataset.length()
              + " characters");
    }
    if (items < 0) {
      throw new IllegalArgumentException("a data set of " + items + " items");
    }
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException("rank " + rank + " of " + ranks);
    }
  }

  /** Creates the header of a job that reads every item once per epoch. */
  public LedgerHeader(
      String job, String dataset, int items, long seed, SamplerKind sampler, int rank, int ranks) {
    this(job, dataset, items, seed, LedgerOrder.of(sampler), rank, ranks);
  }

  /** Returns true if both are ledgers of one job, maybe of other ranks or of a later run of it. */
  public boolean sameJob(LedgerHeader other) {
    return job.equals(other.job)
        && dataset.equals(other.dataset)
        && items == other.items
        && seed == other.seed
        && order.kind().equals(other.order.kind());
  }
}
