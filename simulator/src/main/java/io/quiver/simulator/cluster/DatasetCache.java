package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.placement.OwnedSlots;
import io.quiver.core.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The cached part of one data set on all servers, and the claims on the rest. Items are numbers; in
 * a data set too large to tell items apart, an item is the number of its chunk, and how many items
 * of a chunk are cached is all that is known.
 */
public interface DatasetCache {
  /** The number of no server. */
  int NOWHERE = -1;

  /**
   * Names a space that plans order.
   *
   * @param dataset the data set's place in the scenario
   * @param chunks into how many chunks it is divided
   * @param chunk which of them
   */
  record SpaceKey(int dataset, int chunks, int chunk) {
    /** The chunk of items that are kept one by one. */
    public static final int NO_CHUNK = -1;

    /** The space that takes whatever jobs miss. */
    public static final SpaceKey SHARED = new SpaceKey(-1, 0, NO_CHUNK);

    /** Compares numbers; the method a record is given takes several times as long. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SpaceKey that
          && chunk == that.chunk
          && dataset == that.dataset
          && chunks == that.chunks;
    }

    /** Spreads the few bits that differ; chunks of many data sets would share buckets otherwise. */
    @Override
    public int hashCode() {
      int mixed = (dataset * 31 + chunk) * 0x9E3779B9 + chunks;
      return mixed ^ mixed >>> 15;
    }
  }

  /** Returns the data set. */
  SimulatedDataset dataset();

  /** Returns the server that has an item, for clients that go by these owners; may count a read. */
  int find(int item, SlotOwners owners);

  /** Claims a missing item; null when its owner does not answer. */
  @Nullable Claim claim(int item, String job, SlotOwners owners);

  /**
   * Inserts items that have been fetched, which ends the claims on them.
   *
   * @param plan the latest plan of the job that fetched them: a server with an older one follows it
   *     first
   * @return how many are cached now or were before; the others were refused
   */
  int put(int[] items, SpaceKey space, SlotOwners owners, Plan plan);

  /** Ends claims whose holder will not fetch. */
  void release(int[] items, SlotOwners owners);

  /** Returns what a job knows of a chunk that it begins to bring in. */
  ChunkProgress progress(SpaceKey space, String job);

  /** Claims an item that is known to be missing; null if its owner does not answer. */
  default @Nullable Claim claimMissing(int item, String job, SlotOwners owners) {
    return claim(item, job, owners);
  }

  /** Returns true if the owner of an item answers. */
  default boolean answers(int item, SlotOwners owners) {
    return true;
  }

  /** Forgets the items of a chunk on a server that has dropped the chunk's space. */
  void dropped(SimulatedServer server, SpaceKey space);

  /**
   * Forgets the items of a chunk whose slots a server does not own any more.
   *
   * @param before the slots that the server owned until now
   * @return how many items there were
   */
  int gaveUp(SimulatedServer server, SpaceKey space, OwnedSlots before, OwnedSlots owned);

  /** Forgets one item that a server has evicted. */
  default void evicted(SimulatedServer server, int item) {
    throw new UnsupportedOperationException("chunks are not evicted item by item");
  }
}
