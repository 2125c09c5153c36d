package io.quiver.node;

import java.net.URI;
import java.time.Instant;
import java.util.List;

/**
 * The status page of a node: what runs in the process and how full it is. A stable document; new
 * fields may be added.
 *
 * @param kind always {@code node}, to tell it from a single server's status
 * @param version what was built
 * @param startedAt when the node began to serve
 * @param uptimeMs for how long it has been serving, in milliseconds
 * @param totals all servers together
 * @param servers each server
 */
public record NodeStatus(
    String kind,
    String version,
    String startedAt,
    long uptimeMs,
    Usage totals,
    List<Server> servers) {

  /**
   * Occupancy and counters.
   *
   * @param capacityBytes what may be held
   * @param usedBytes what is held on the disks
   * @param liveBytes the part of it that can be read
   * @param blobs how many blobs can be read
   * @param warmReads blobs served from memory
   * @param coldReads blobs served from disk
   * @param corruptBlobs blobs found damaged and dropped
   * @param failures operations the disks refused
   */
  public record Usage(
      long capacityBytes,
      long usedBytes,
      long liveBytes,
      long blobs,
      long warmReads,
      long coldReads,
      long corruptBlobs,
      long failures) {
    /** No server, nothing held. */
    static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, 0, 0);

    Usage plus(Usage other) {
      return new Usage(
          capacityBytes + other.capacityBytes,
          usedBytes + other.usedBytes,
          liveBytes + other.liveBytes,
          blobs + other.blobs,
          warmReads + other.warmReads,
          coldReads + other.coldReads,
          corruptBlobs + other.corruptBlobs,
          failures + other.failures);
    }
  }

  /**
   * One cache server of the node.
   *
   * @param name what it calls itself
   * @param uri where clients find it
   * @param usage its occupancy
   */
  public record Server(String name, URI uri, Usage usage) {}

  static NodeStatus of(String version, Instant started, Instant now, List<Server> servers) {
    Usage totals = servers.stream().map(Server::usage).reduce(Usage.NONE, Usage::plus);
    long uptime = Math.max(0, now.toEpochMilli() - started.toEpochMilli());
    return new NodeStatus("node", version, started.toString(), uptime, totals, servers);
  }
}
