package io.quiver.cli.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.Wire;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All servers at one moment.
 *
 * @param totals everything added up
 * @param spaces every space, added up over the servers
 * @param servers each server
 */
public record ClusterState(Occupancy totals, List<SpaceState> spaces, List<ServerState> servers) {

  /** Asks every server. */
  public static ClusterState of(RunningCluster cluster)
      throws CommandFailure, InterruptedException {
    List<ServerState> servers = new ArrayList<>();
    for (URI server : cluster.servers()) {
      servers.add(ServerState.of(cluster, server));
    }
    Occupancy totals =
        servers.stream().map(ServerState::usage).reduce(Occupancy.NONE, Occupancy::plus);
    return new ClusterState(totals, SpaceState.merge(servers), servers);
  }

  /** Drops a space on every server; the bytes given back, or empty if none had it. */
  public static Optional<Long> drop(RunningCluster cluster, SpaceId space)
      throws CommandFailure, InterruptedException {
    Optional<Long> freed = Optional.empty();
    for (URI server : cluster.servers()) {
      var answer = cluster.delete(server, Wire.SPACES_PATH + "/" + space.name());
      if (answer.isPresent()) {
        freed = Optional.of(freed.orElse(0L) + answer.get().path("freed_bytes").asLong());
      }
    }
    return freed;
  }

  /** The unlabelled samples of a page in Prometheus' text format. */
  static final class Metrics {
    private final Map<String, Long> samples = new HashMap<>();

    private Metrics() {}

    static Metrics parse(String page) {
      Metrics metrics = new Metrics();
      page.lines()
          .filter(line -> !line.startsWith("#") && line.indexOf('{') < 0)
          .map(line -> line.split(" ", 3))
          .filter(parts -> parts.length >= 2 && parts[1].matches("[0-9]{1,18}"))
          .forEach(parts -> metrics.samples.put(parts[0], Long.parseLong(parts[1])));
      return metrics;
    }

    /** Returns a sample, or 0 where there is none. */
    long value(String name) {
      return samples.getOrDefault(name, 0L);
    }
  }

  /**
   * The occupancy and the hit counts of a cache.
   *
   * @param capacityBytes what it may hold
   * @param usedBytes what it holds on its disks
   * @param liveBytes the part of it that can be read
   * @param blobs how many blobs can be read
   * @param hits hashes asked for that were there
   * @param misses hashes asked for that were not
   * @param hitBytes bytes of blobs read
   * @param warmReads blobs served from memory
   * @param coldReads blobs served from disk
   * @param corruptBlobs blobs found damaged and dropped
   * @param failures operations the disks refused
   */
  public record Occupancy(
      long capacityBytes,
      long usedBytes,
      long liveBytes,
      long blobs,
      long hits,
      long misses,
      long hitBytes,
      long warmReads,
      long coldReads,
      long corruptBlobs,
      long failures) {
    /** Nothing at all. */
    static final Occupancy NONE = new Occupancy(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static Occupancy of(JsonNode store, Metrics metrics) {
      return new Occupancy(
          store.path("capacity_bytes").asLong(),
          store.path("used_bytes").asLong(),
          store.path("live_bytes").asLong(),
          store.path("blobs").asLong(),
          metrics.value("quiver_hits_total"),
          metrics.value("quiver_misses_total"),
          metrics.value("quiver_hit_bytes_total"),
          store.path("warm_reads").asLong(),
          store.path("cold_reads").asLong(),
          store.path("corrupt_blobs").asLong(),
          store.path("failures").asLong());
    }

    Occupancy plus(Occupancy other) {
      return new Occupancy(
          capacityBytes + other.capacityBytes,
          usedBytes + other.usedBytes,
          liveBytes + other.liveBytes,
          blobs + other.blobs,
          hits + other.hits,
          misses + other.misses,
          hitBytes + other.hitBytes,
          warmReads + other.warmReads,
          coldReads + other.coldReads,
          corruptBlobs + other.corruptBlobs,
          failures + other.failures);
    }

    /** Hits among all hashes asked for, 0 to 1; null before the first. */
    @JsonProperty
    public @Nullable Double hitRatio() {
      return hits + misses == 0 ? null : (double) hits / (hits + misses);
    }
  }

  /**
   * The content of a space.
   *
   * @param space its name
   * @param blobs how many blobs it owns
   * @param chargedBytes the bytes it is charged for
   * @param limitBytes its bound, or null without one
   */
  public record SpaceState(String space, long blobs, long chargedBytes, @Nullable Long limitBytes) {

    static List<SpaceState> list(JsonNode document) {
      List<SpaceState> spaces = new ArrayList<>();
      for (JsonNode each : document.path("spaces")) {
        JsonNode limit = each.path("limit_bytes");
        spaces.add(
            new SpaceState(
                each.path("space").asText(),
                each.path("blobs").asLong(),
                each.path("charged_bytes").asLong(),
                limit.isNumber() ? limit.asLong() : null));
      }
      return spaces;
    }

    /** The spaces of several servers, those of one name added up. */
    static List<SpaceState> merge(List<ServerState> servers) {
      TreeMap<String, SpaceState> byName = new TreeMap<>();
      for (ServerState server : servers) {
        server.spaces().forEach(space -> byName.merge(space.space(), space, SpaceState::plus));
      }
      return List.copyOf(byName.values());
    }

    private SpaceState plus(SpaceState other) {
      Long limit =
          limitBytes == null || other.limitBytes == null
              ? null
              : Long.valueOf(limitBytes + other.limitBytes);
      return new SpaceState(space, blobs + other.blobs, chargedBytes + other.chargedBytes, limit);
    }
  }

  /**
   * One server's state, as {@code stat} shows it.
   *
   * @param uri where it is
   * @param name what it calls itself
   * @param version what it runs
   * @param uptimeMs how long it has been serving
   * @param connections open now
   * @param usage occupancy and counters
   * @param spaces what each of its spaces holds
   */
  public record ServerState(
      URI uri,
      String name,
      String version,
      long uptimeMs,
      long connections,
      Occupancy usage,
      List<SpaceState> spaces) {

    /** Asks a server. */
    static ServerState of(RunningCluster cluster, URI server)
        throws CommandFailure, InterruptedException {
      JsonNode status = cluster.json(server, Wire.STATUS_PATH);
      Metrics metrics = Metrics.parse(cluster.text(server, Wire.METRICS_PATH));
      return new ServerState(
          server,
          status.path("name").asText(),
          status.path("version").asText(),
          status.path("uptime_ms").asLong(),
          status.path("connections").asLong(),
          Occupancy.of(status.path("store"), metrics),
          SpaceState.list(cluster.json(server, Wire.SPACES_PATH)));
    }
  }
}
