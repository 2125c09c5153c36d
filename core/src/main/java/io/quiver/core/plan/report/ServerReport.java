package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.space.SpaceId;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cache server's report in a heartbeat.
 *
 * @param server its name, unique in the cluster
 * @param instance chosen at random when it started; a secret, as a job's is
 * @param uri where clients find it
 * @param usableBytes how many bytes of blobs it can hold
 * @param spaces how many bytes each of its spaces has, by name
 * @param planVersion the plan it has applied
 * @param leaving whether this is its last report
 * @param keepers the counts of keepers of streams' spaces, by name; older servers tell none
 */
public record ServerReport(
    String server,
    String instance,
    String uri,
    long usableBytes,
    Map<String, Long> spaces,
    long planVersion,
    boolean leaving,
    Map<String, KeeperCounts> keepers) {
  /** Keeps its own copy and refuses what cannot be. */
  public ServerReport {
    Bounds.name("server", server);
    Bounds.secret("instance", instance);
    Bounds.address("uri", uri);
    Bounds.whole("usable_bytes", usableBytes, 0, Bounds.MAX_BYTES);
    spaces = SpaceSizes.copyOf(spaces);
    Bounds.whole("plan_version", planVersion, 0, Bounds.MAX_COUNT);
    keepers = counts(keepers);
  }

  private static Map<String, KeeperCounts> counts(@Nullable Map<String, KeeperCounts> told) {
    Map<String, KeeperCounts> counts = Objects.requireNonNullElse(told, Map.of());
    Bounds.whole("the length of keepers", counts.size(), 0, StreamTenants.MOST);
    for (Map.Entry<String, KeeperCounts> each : counts.entrySet()) {
      String space = each.getKey();
      Bounds.whole("the length of a name in keepers", space.length(), 1, SpaceId.MAX_LENGTH);
      Bounds.present("keepers." + space, each.getValue());
    }
    return Map.copyOf(counts);
  }

  /** Makes the report of a server that has no stream's space. */
  public ServerReport(
      String server,
      String instance,
      String uri,
      long usableBytes,
      Map<String, Long> spaces,
      long planVersion,
      boolean leaving) {
    this(server, instance, uri, usableBytes, spaces, planVersion, leaving, Map.of());
  }

  /** Returns its spaces, in order. */
  public SpaceSizes spaceSizes() {
    return (SpaceSizes) spaces;
  }

  /** Returns a copy for everybody to see; who knows the instance may report in its name. */
  public ServerReport withoutSecret() {
    return new ServerReport(
        server,
        Bounds.fingerprint(instance),
        uri,
        usableBytes,
        spaces,
        planVersion,
        leaving,
        keepers);
  }
}
