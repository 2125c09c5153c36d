package io.quiver.core.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The policies that divide the cache. */
public enum PlannerKind {
  /** Any number of pinned chunks and a rotating window, where a byte saves the most GPU time. */
  MARGINAL,
  /** The paper's: all of a data set, two chunks of it, or nothing, greedily (Quiver, §5.3). */
  GREEDY3,
  /**
   * IGTCache's: 640 MB every 60 s from the tenant with the lowest marginal benefit to the highest
   * (IGTCache, §3.3 and §4).
   */
  IGT,
  /** One space for all jobs that evicts the least recently used blob: the plain shared cache. */
  LRU,
  /**
   * One space for all jobs that takes what is read first and evicts nothing: the policy of MinIO
   * (CoorDL, VLDB '21), whose hits in every epoch are the cached share.
   */
  PINNED,
  /** Nobody, and nothing is held: jobs read the store. */
  NONE;

  /** Returns what is written on the command line and in documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind with this word. */
  public static PlannerKind parse(String text) {
    for (PlannerKind kind : values()) {
      if (kind.word().equals(text.strip().toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "unknown planner \""
            + text
            + "\"; use one of "
            + Arrays.stream(values()).map(PlannerKind::word).collect(Collectors.joining(", ")));
  }

  /** Returns true if it divides data sets into chunks and decides which are held. */
  public boolean plansChunks() {
    return this == MARGINAL || this == GREEDY3 || this == IGT;
  }
}
