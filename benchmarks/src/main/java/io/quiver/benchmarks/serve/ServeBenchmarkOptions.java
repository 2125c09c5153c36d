package io.quiver.benchmarks.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Settings of the serving benchmark.
 *
 * @param peers what is measured; peers that are not installed are left out
 * @param workloads the shapes of reading
 * @param limit how long the whole run may take, preparation included
 * @param rounds how often every peer has its turn; the median turn is reported
 * @param directory where a temporary folder for all data is made
 * @param seed decides the blobs and the order they are read in
 */
public record ServeBenchmarkOptions(
    Set<Peer> peers,
    List<ServeWorkload> workloads,
    Duration limit,
    int rounds,
    Path directory,
    long seed) {
  /** Shortest run that still gets through its preparation. */
  public static final Duration SHORTEST = Duration.ofSeconds(10);

  /** Checks the bounds. */
  public ServeBenchmarkOptions {
    if (peers.isEmpty() || workloads.isEmpty() || rounds < 1 || rounds > 100) {
      throw new IllegalArgumentException(
          "nothing to measure: " + peers + " on " + workloads + " in " + rounds + " rounds");
    }
    if (limit.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "a run takes at least " + SHORTEST.toSeconds() + " s, not " + limit.toSeconds());
    }
    peers = EnumSet.copyOf(peers);
    workloads = List.copyOf(workloads);
  }

  /** Returns every peer, three sizes, about two minutes. */
  public static ServeBenchmarkOptions standard() {
    return new ServeBenchmarkOptions(
        EnumSet.allOf(Peer.class),
        ServeWorkload.standard(384_000_000),
        Duration.ofMinutes(2),
        7,
        Path.of(System.getProperty("java.io.tmpdir")),
        1);
  }

  /** Returns settings for less than 50 seconds, with less data and fewer rounds. */
  public static ServeBenchmarkOptions quick() {
    return new ServeBenchmarkOptions(
        EnumSet.allOf(Peer.class),
        ServeWorkload.standard(200_000_000),
        Duration.ofSeconds(45),
        3,
        Path.of(System.getProperty("java.io.tmpdir")),
        1);
  }

  /** Returns a copy with only these peers. */
  public ServeBenchmarkOptions withPeers(Set<Peer> only) {
    return new ServeBenchmarkOptions(only, workloads, limit, rounds, directory, seed);
  }

  /** Returns another bound on the whole run. */
  public ServeBenchmarkOptions withLimit(Duration other) {
    return new ServeBenchmarkOptions(peers, workloads, other, rounds, directory, seed);
  }

  /** Returns a copy with another folder for the data. */
  public ServeBenchmarkOptions withDirectory(Path other) {
    return new ServeBenchmarkOptions(peers, workloads, limit, rounds, other, seed);
  }
}
