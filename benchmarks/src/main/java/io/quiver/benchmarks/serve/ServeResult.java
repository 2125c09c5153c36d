package io.quiver.benchmarks.serve;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One workload's figures.
 *
 * @param workload what was asked for
 * @param speeds what each peer reached; a peer that is not installed has none
 */
public record ServeResult(ServeWorkload workload, Map<Peer, PeerSpeed> speeds) {
  /** Keeps its own copy. */
  public ServeResult {
    Map<Peer, PeerSpeed> copy = new EnumMap<>(Peer.class);
    copy.putAll(speeds);
    speeds = copy;
  }

  /** Gigabytes per second of a peer, or null where it was not measured. */
  public @Nullable Double gigabytesPerSecond(Peer peer) {
    PeerSpeed speed = speeds.get(peer);
    return speed == null ? null : speed.gigabytesPerSecond();
  }

  /** Returns the better of the two ways to ask Redis, or null where there is none. */
  public @Nullable Double redisGigabytesPerSecond() {
    Double multi = gigabytesPerSecond(Peer.REDIS_MGET);
    Double pipelined = gigabytesPerSecond(Peer.REDIS_PIPELINED);
    if (multi == null || pipelined == null) {
      return multi == null ? pipelined : multi;
    }
    return Math.max(multi, pipelined);
  }

  /** Returns Quiver's speed as a multiple of a peer's. */
  public OptionalDouble ratioTo(@Nullable Double peerSpeed) {
    Double quiver = gigabytesPerSecond(Peer.QUIVER);
    return quiver == null || peerSpeed == null || peerSpeed <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(quiver / peerSpeed);
  }

  /**
   * The speed of one peer under one workload.
   *
   * @param gigabytesPerSecond payload only, in units of 10^9 bytes
   * @param serverCpuSecondsPerGigabyte processor time of the server's processes
   * @param clientCpuSecondsPerGigabyte processor time of the asking process
   */
  public record PeerSpeed(
      double gigabytesPerSecond,
      double serverCpuSecondsPerGigabyte,
      double clientCpuSecondsPerGigabyte) {}
}
