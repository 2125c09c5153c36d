package io.quiver.core.plan.report;

import java.util.Map;

/**
 * A cache server's report in a heartbeat.
 *
 * @param server its name, unique in the cluster
 * @param instance chosen at random when it started
 * @param uri where clients find it
 * @param usableBytes how many bytes of blobs it can hold
 * @param spaces how many bytes each of its spaces has, by name
 * @param planVersion the plan it has applied
 * @param leaving whether this is its last report
 */
public record ServerReport(
    String server,
    String instance,
    String uri,
    long usableBytes,
    Map<String, Long> spaces,
    long planVersion,
    boolean leaving) {
  /** Keeps its own copy. */
  public ServerReport {
    spaces = Map.copyOf(spaces);
    if (usableBytes < 0 || server.isEmpty() || uri.isEmpty()) {
      throw new IllegalArgumentException(
          "server \""
              + server
              + "\" at \""
              + uri
              + "\" with a capacity of "
              + usableBytes
              + " bytes");
    }
  }
}
