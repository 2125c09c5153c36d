package io.quiver.server;

import io.quiver.http.AccessControl;
import io.quiver.http.TlsConfig;
import io.quiver.protocol.Wire;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

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
 * @param access who may make which call
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
    Optional<TlsConfig> tls,
    AccessControl access) {

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
        Optional.empty(),
        AccessControl.OPEN);
  }

  /** Returns a copy with another name. */
  public ServerConfig withName(String value) {
    return changed(draft -> draft.name = value);
  }

  /** Returns a copy with another bound on connections. */
  public ServerConfig withMaxConnections(int value) {
    return changed(draft -> draft.maxConnections = value);
  }

  /** Returns a copy with other bounds on the bytes in flight. */
  public ServerConfig withInFlightBytes(long total, long perConnection) {
    return changed(draft -> {
      draft.maxInFlightBytes = total;
      draft.maxConnectionInFlightBytes = perConnection;
    });
  }

  /** Returns a copy with another bound on one batch answer. */
  public ServerConfig withMaxResponseBytes(long value) {
    return changed(draft -> draft.maxResponseBytes = value);
  }

  /** Returns a copy with another longest blob. */
  public ServerConfig withMaxBlobBytes(long value) {
    return changed(draft -> draft.maxBlobBytes = value);
  }

  /** Returns a copy with another time between requests. */
  public ServerConfig withIdleTimeout(Duration value) {
    return changed(draft -> draft.idleTimeout = value);
  }

  /** Returns a copy with another time for the head of a request. */
  public ServerConfig withRequestTimeout(Duration value) {
    return changed(draft -> draft.requestTimeout = value);
  }

  /** Returns a copy with another time for a body or an answer that stands still. */
  public ServerConfig withStallTimeout(Duration value) {
    return changed(draft -> draft.stallTimeout = value);
  }

  /** Returns a copy with another wait for in-flight bytes. */
  public ServerConfig withBudgetTimeout(Duration value) {
    return changed(draft -> draft.budgetTimeout = value);
  }

  /** Returns a copy with another lease of claims. */
  public ServerConfig withClaimLease(Duration value) {
    return changed(draft -> draft.claimLease = value);
  }

  /** Returns a copy with another bound on claims. */
  public ServerConfig withMaxClaims(int value) {
    return changed(draft -> draft.maxClaims = value);
  }

  /** Returns a copy with TLS. */
  public ServerConfig withTls(TlsConfig value) {
    return changed(draft -> draft.tls = Optional.of(value));
  }

  /** Returns a copy with rules of who may make which call. */
  public ServerConfig withAccess(AccessControl value) {
    return changed(draft -> draft.access = value);
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

  private ServerConfig changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** All values while one of them changes. */
  private static final class Draft {
    private String host;
    private int port;
    private String name;
    private int maxConnections;
    private long maxInFlightBytes;
    private long maxConnectionInFlightBytes;
    private long maxResponseBytes;
    private long maxBlobBytes;
    private Duration idleTimeout;
    private Duration requestTimeout;
    private Duration stallTimeout;
    private Duration budgetTimeout;
    private Duration claimLease;
    private int maxClaims;
    private Optional<TlsConfig> tls;
    private AccessControl access;

    Draft(ServerConfig from) {
      host = from.host;
      port = from.port;
      name = from.name;
      maxConnections = from.maxConnections;
      maxInFlightBytes = from.maxInFlightBytes;
      maxConnectionInFlightBytes = from.maxConnectionInFlightBytes;
      maxResponseBytes = from.maxResponseBytes;
      maxBlobBytes = from.maxBlobBytes;
      idleTimeout = from.idleTimeout;
      requestTimeout = from.requestTimeout;
      stallTimeout = from.stallTimeout;
      budgetTimeout = from.budgetTimeout;
      claimLease = from.claimLease;
      maxClaims = from.maxClaims;
      tls = from.tls;
      access = from.access;
    }

    ServerConfig finish() {
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
          tls,
          access);
    }
  }
}
