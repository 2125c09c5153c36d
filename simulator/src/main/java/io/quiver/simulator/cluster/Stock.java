package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.engine.ChunkProgress;
import io.quiver.core.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * What lies of one data set on all servers, and who fetches what is missing. Items are named by
 * numbers; where a data set is too large to name its items, the numbers are those of their chunks,
 * and how many of a chunk are there is all that is known.
 */
public interface Stock {
  /** Where nothing is. */
  int NOWHERE = -1;

  /** The server that has an item, for clients that look at these owners. */
  int find(int item, Owners owners);

  /** Who fetches a missing item; null when its owner does not answer. */
  @Nullable Claim claim(int item, String job, Owners owners);

  /**
   * Stores items that have been fetched, which ends the claims on them.
   *
   * @param plan the latest plan of who fetched them: a server that has an older one follows it
   *     first
   * @return how many lie there now or did before; the others were refused
   */
  int put(int[] items, Space space, Owners owners, Plan plan);

  /** Ends claims whose holder will not fetch. */
  void release(int[] items, Owners owners);

  /** Returns what a job knows of a chunk that it begins to bring in. */
  ChunkProgress progress(Space space, String job);

  /** Decides who fetches an item that is known to be missing; null if its owner does not answer. */
  default @Nullable Claim claimMissing(int item, String job, Owners owners) {
    return claim(item, job, owners);
  }

  /** Returns true if the owner of an item answers. */
  default boolean answers(int item, Owners owners) {
    return true;
  }

  /** A space on a server is gone. */
  void dropped(SimulatedServer server, Space space);
}
