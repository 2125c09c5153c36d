package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.space.SpaceId;
import java.util.List;

/**
 * The answer to a job that shares scores. It comes with the answer to a heartbeat only: who asks
 * for a job's plan has not shown that the job is theirs.
 *
 * @param space takes the job's own columns
 * @param columns those that other jobs offer
 */
public record ScoreBoard(SpaceId space, List<ScoreOffer> columns) {
  /** Most columns that a job is told of. */
  public static final int MAX_COLUMNS = 256;

  /** Keeps its own copy and refuses what cannot be. */
  public ScoreBoard {
    Bounds.present("space", space);
    columns = Bounds.list("columns", columns, MAX_COLUMNS);
  }
}
