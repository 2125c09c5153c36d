package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.plan.Plan;
import java.util.function.IntPredicate;
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

  /**
   * A way through a chunk to see whether it is whole.
   *
   * @param claims whether to bring in what is missing
   */
  Walk walk(Space space, String job, boolean claims);

  /** A space on a server is gone. */
  void dropped(SimulatedServer server, Space space);

  /** One job's way through a chunk. */
  interface Walk {
    /**
     * Goes on until so many items were claimed, so many were looked at, or the end.
     *
     * @param underWay whether the job is reading an item already, which counts as somebody else's
     * @return the items to fetch
     */
    int[] claim(int most, int look, Owners owners, IntPredicate underWay);

    /** Whether the whole chunk was looked at. */
    boolean seenAll();

    /** How many items that were missing are somebody else's to fetch. */
    int awaited();

    /**
     * Looks again for what others fetch.
     *
     * @return whether any of it has come
     */
    boolean lookAgain(int look, Owners owners);

    /** What others were to fetch is looked at and claimed once more. */
    void reclaim();

    /** All but so many of these were refused for good: they are looked for no more. */
    void refused(int[] items, int here, Owners owners);
  }
}
