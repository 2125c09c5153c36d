package io.quiver.core.plan;

/**
 * A job's claim on a rotating chunk in one of its epochs: while it lasts the chunk stays.
 *
 * @param job which job
 * @param epoch in which of its epochs
 */
public record ChunkLease(String job, int epoch) implements Comparable<ChunkLease> {
  @Override
  public int compareTo(ChunkLease other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(epoch, other.epoch);
  }
}
