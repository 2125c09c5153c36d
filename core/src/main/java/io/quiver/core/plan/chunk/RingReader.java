package io.quiver.core.plan.chunk;

import io.quiver.core.order.RingRole;
import java.util.List;

/**
 * A job as the chunks of its data set are planned for it.
 *
 * @param job its name
 * @param epoch the epoch it is in
 * @param lastEpoch whether it ends after this one
 * @param warming whether it only brings chunks in, for others to read
 * @param role whether it leads the ring
 * @param atWork whether it has asked for batches lately and is not being probed
 * @param remaining for each chunk, how many items it has yet to read; empty while it does not know
 *     the division
 * @param loaded the chunks it found whole
 */
public record RingReader(
    String job,
    int epoch,
    boolean lastEpoch,
    boolean warming,
    RingRole role,
    boolean atWork,
    ChunkCounts remaining,
    List<ChunkGeneration> loaded) {
  /**
   * Returns the programs behind doors, where no job reads the data set: they bring in what they
   * miss and hold no chunk up.
   *
   * @param loaded the chunks that servers have whole
   */
  public static RingReader ofDoors(List<ChunkGeneration> loaded) {
    ChunkCounts unknown = ChunkCounts.of(new int[0]);
    return new RingReader("doors", 0, false, true, RingRole.FOLLOWER, true, unknown, loaded);
  }

  PlannedChunk.Lease lease() {
    return new PlannedChunk.Lease(job, epoch);
  }

  /** Returns true if this job may keep chunks in the cache. */
  boolean mayLease() {
    return role == RingRole.LEADER && atWork;
  }

  /**
   * Returns the items it has yet to read of each chunk: all while it does not know the division.
   */
  ChunkCounts remaining(DatasetState state) {
    if (!warming && remaining.size() == state.chunks()) {
      return remaining;
    }
    int each = warming ? 0 : (int) Math.ceilDiv((long) state.items(), state.chunks());
    return ChunkCounts.same(state.chunks(), each);
  }
}
