package io.quiver.core.plan;

import io.quiver.core.bound.Bounds;
import io.quiver.core.placement.Member;
import io.quiver.core.plan.report.ServerReport;

/**
 * A cache server of the cluster, as clients are told.
 *
 * @param name its name: decides with the others' which blobs are its own
 * @param uri where it is
 * @param weight its capacity in units of 64 MiB, rounded, at least 1; no other server changes it
 */
public record ClusterMember(String name, String uri, int weight) {
  /** A unit of weight. The largest server weighs what placement can count. */
  private static final long UNIT_BYTES = Bounds.MAX_BYTES / Member.MAX_WEIGHT;

  /** Refuses what cannot be. */
  public ClusterMember {
    Bounds.name("name", name);
    Bounds.address("uri", uri);
    Bounds.whole("weight", weight, 1, Member.MAX_WEIGHT);
  }

  /** Returns a server as it reports itself, weighed by what it can hold. */
  static ClusterMember of(ServerReport server) {
    long units = (server.usableBytes() + UNIT_BYTES / 2) / UNIT_BYTES;
    return new ClusterMember(server.server(), server.uri(), (int) Math.max(1, units));
  }

  /** Returns the server as placement sees it. */
  public Member placed() {
    return new Member(name, weight);
  }
}
