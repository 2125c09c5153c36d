package io.quiver.server.plan;

import io.quiver.core.space.SpaceId;
import java.util.List;

/**
 * The result of applying a plan.
 *
 * @param accepted false when a newer plan was there; nothing has changed then
 * @param version the plan the server has now for this prefix, 0 if only plans without one came
 * @param dropped the spaces that went
 * @param freedBytes the bytes of disk this gave back
 */
public record AppliedSpaces(
    boolean accepted, long version, List<SpaceId> dropped, long freedBytes) {
  /** Keeps its own copy. */
  public AppliedSpaces {
    dropped = List.copyOf(dropped);
  }
}
