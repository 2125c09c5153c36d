package io.quiver.server;

import io.quiver.protocol.Wire;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything that can be chosen about a cache server. {@link #on} gives sane defaults; the withers
 * change one value each.
 *
 * @param host address to listen on; a name or a literal
 * @param port port to listen on; 0 lets the system choose
 * @param name what the server calls itself in its status
 * @param maxConnections connections served at once; one more is answered 503 and closed
 * @param maxInFlightBytes bytes of answers and inserts that all connections together may hold
 * @param maxConnectionInFlightBytes the same for one connection
 * @param maxResponseBytes payload of one batch answer; what does not fit is deferred
 * @param maxBlobBytes longest blob taken
 * @param idleTimeout how long a connection may wait between requests
 * @param requestTimeout how long the head of a request may take to arrive
 * @param stallTimeout how long a body or an answer may make no progress
 * @param budgetTimeout how long a request waits for its share of the in-flight bytes before 429
 * @param claimLease how long a job may take to insert what it claimed
 * @param maxClaims claims remembered at once; the oldest go first
 * @param tls certificate and key, or empty for plain HTTP
 */
public record ServerConfig(
    String host,
    int port,
    String name,
    int maxConnections,
    long maxInFlightBytes,
    long maxConnectionInFlightBytes,
    long maxResponseBytes,
    long maxBlobBytes,
    Duration idleTimeout,
    Duration requestTimeout,
    Duration stallTimeout,
    Duration budgetTimeout,
    Duration claimLease,
    int maxClaims,
    Optional<TlsConfig> tls) {

  /** Checks every value. */
  public ServerConfig {
    if (host.isBlank()) {
      throw new IllegalArgumentException("no host to listen on; try 127.0.0.1");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not between 0 and 65535");
    }
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxResponseBytes", maxResponseBytes);
    requirePositive("maxBlobBytes", maxBlobBytes);
    requirePositive("maxClaims", maxClaims);
    if (maxBlobBytes > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "maxBlobBytes " + maxBlobBytes + " is too large; blobs stay below 2 GiB");
    }
    if (maxConnectionInFlightBytes < Math.max(maxBlobBytes, maxResponseBytes)) {
      throw new IllegalArgumentException(
          "maxConnectionInFlightBytes "
              + maxConnectionInFlightBytes
              + " has no room for one blob of "
              + maxBlobBytes
              + " or one answer of "
              + maxResponseBytes
              + " bytes; raise it or lower those");
    }
    if (maxInFlightBytes < maxConnectionInFlightBytes) {
      throw new IllegalArgumentException(
          "maxInFlightBytes "
              + maxInFlightBytes
              + " is less than one connection's "
              + maxConnectionInFlightBytes
              + "; raise it or lower maxConnectionInFlightBytes");
    }
    requirePositive("idleTimeout", idleTimeout);
    requirePositive("requestTimeout", requestTimeout);
    requirePositive("stallTimeout", stallTimeout);
    requirePositive("budgetTimeout", budgetTimeout);
    requirePositive("claimLease", claimLease);
  }

  /** Defaults, listening on a host and port; port 0 lets the system choose one. */
  public static ServerConfig on(String host, int port) {
    return new ServerConfig(
        host,
        port,
        "quiver",
        1024,
        1L << 30,
        Wire.DEFAULT_MAX_BLOB_BYTES,
        64L << 20,
        Wire.DEFAULT_MAX_BLOB_BYTES,
        Duration.ofMinutes(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(20),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        1 << 20,
        Optional.empty());
  }

  /** The same with another name. */
  public ServerConfig withName(String value) {
    return new ServerConfig(
        host,
        port,
        value,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another bound on connections. */
  public ServerConfig withMaxConnections(int value) {
    return new ServerConfig(
        host,
        port,
        name,
        value,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with other bounds on the bytes in flight. */
  public ServerConfig withInFlightBytes(long total, long perConnection) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        total,
        perConnection,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another bound on one batch answer. */
  public ServerConfig withMaxResponseBytes(long value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        value,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another longest blob. */
  public ServerConfig withMaxBlobBytes(long value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        value,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another patience between requests. */
  public ServerConfig withIdleTimeout(Duration value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        value,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another patience with the head of a request. */
  public ServerConfig withRequestTimeout(Duration value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        value,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another patience with a body or an answer that stands still. */
  public ServerConfig withStallTimeout(Duration value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        value,
        budgetTimeout,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another patience while the in-flight bytes are used up. */
  public ServerConfig withBudgetTimeout(Duration value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        value,
        claimLease,
        maxClaims,
        tls);
  }

  /** The same with another lease of claims. */
  public ServerConfig withClaimLease(Duration value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        value,
        maxClaims,
        tls);
  }

  /** The same with another bound on claims. */
  public ServerConfig withMaxClaims(int value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        value,
        tls);
  }

  /** The same with TLS. */
  public ServerConfig withTls(TlsConfig value) {
    return new ServerConfig(
        host,
        port,
        name,
        maxConnections,
        maxInFlightBytes,
        maxConnectionInFlightBytes,
        maxResponseBytes,
        maxBlobBytes,
        idleTimeout,
        requestTimeout,
        stallTimeout,
        budgetTimeout,
        claimLease,
        maxClaims,
        Optional.of(value));
  }

  private static void requirePositive(String what, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(what + " must be positive, not " + value);
    }
  }

  private static void requirePositive(String what, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(what + " must be positive, not " + value);
    }
  }
}
