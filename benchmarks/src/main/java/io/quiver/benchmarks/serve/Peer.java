package io.quiver.benchmarks.serve;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The servers measured side by side, each together with the way it is asked. */
public enum Peer {
  /** The cache server, asked by the load generator. */
  QUIVER,
  /** The cache server, asked by the Java client. */
  QUIVER_JAVA,
  /** A server of a few lines of C with gathered writes: the limit. */
  REFERENCE,
  /** Memcached, one multi-get for each batch. */
  MEMCACHED,
  /** Redis, one MGET for each batch. */
  REDIS_MGET,
  /** Redis, one pipelined GET for each blob. */
  REDIS_PIPELINED,
  /** Nginx over files, one pipelined GET for each blob. */
  NGINX,
  /** A plain stream of bytes by iperf3, without blobs. */
  IPERF3;

  /** Returns the name in tables, options and JSON, for example {@code redis_mget}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the peer with this label; {@code -} may stand for {@code _}. */
  public static Peer of(String label) {
    String wanted = label.strip().replace('-', '_');
    for (Peer peer : values()) {
      if (peer.label().equalsIgnoreCase(wanted)) {
        return peer;
      }
    }
    throw new IllegalArgumentException(
        "no peer is called \""
            + label
            + "\"; there are "
            + Arrays.stream(values()).map(Peer::label).collect(Collectors.joining(", ")));
  }
}
