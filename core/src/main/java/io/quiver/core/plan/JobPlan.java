package io.quiver.core.plan;

import io.quiver.core.sampling.Pace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job's part of the plan: the answer to its heartbeat.
 *
 * @param version which plan
 * @param members the cache servers
 * @param dataset what is held of its data set; null when nothing is to be cached of it
 * @param pace how it treats the rotating chunks
 */
public record JobPlan(
    long version, List<Member> members, @Nullable DatasetPlan dataset, Pace pace) {
  /** Keeps its own copy. */
  public JobPlan {
    members = List.copyOf(members);
  }
}
