package io.quiver.server;

import io.quiver.core.text.PlainDuration;
import io.quiver.http.AccessControl;
import io.quiver.http.AdvertisedAddress;
import io.quiver.http.TlsConfig;
import io.quiver.protocol.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a cache server. {@link #on} gives defaults; each wither changes one value.
 *
 * @param host address to listen on; a name or a literal
 * @param port port to listen on; 0 lets the system choose
 * @param name what the server calls itself in its status
 * @param limits bounds of what it holds at once
 * @param timeouts bounds of every wait
 * @param tls certificate and key, or empty for plain HTTP
 * @param access who may make which call
 * @param advertised the host clients use, with or without a port; empty for the one listened on
 */
public record ServerConfig(
    String host,
    int port,
    String name,
    Limits limits,
    Timeouts timeouts,
    Optional<TlsConfig> tls,
    AccessControl access,
    Optional<String> advertised) {

  /**
   * Bounds of what a server holds at once.
   *
   * @param connections connections served at once; one more is answered 503 and closed
   * @param inFlightBytes bytes of answers and inserts that all connections together may hold
   * @param connectionInFlightBytes bytes of answers and inserts that one connection may hold
   * @param responseBytes payload of one batch answer; what does not fit is deferred
   * @param blobBytes longest blob taken
   * @param claims claims remembered at once; the oldest go first
   */
  public record Limits(
      int connections,
      long inFlightBytes,
      long connectionInFlightBytes,
      long responseBytes,
      long blobBytes,
      int claims) {
    /** Checks every value. */
    public Limits {
      requirePositive("maxConnections", connections);
      requirePositive("maxResponseBytes", responseBytes);
      requirePositive("maxBlobBytes", blobBytes);
      requirePositive("maxClaims", claims);
      if (blobBytes > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "maxBlobBytes " + blobBytes + " is too large; blobs stay below 2 GiB");
      }
      if (connectionInFlightBytes < Math.max(blobBytes, responseBytes)) {
        throw new IllegalArgumentException(
            "maxConnectionInFlightBytes %d is less than one blob of %d or one answer of %d bytes; raise it or lower those"
                .formatted(connectionInFlightBytes, blobBytes, responseBytes));
      }
      if (inFlightBytes < connectionInFlightBytes) {
        throw new IllegalArgumentException(
            "maxInFlightBytes %d is less than one connection's %d; raise it or lower maxConnectionInFlightBytes"
                .formatted(inFlightBytes, connectionInFlightBytes));
      }
    }
  }

  /**
   * Bounds of every wait.
   *
   * @param idle how long a connection may wait between requests
   * @param request how long the head of a request may take to arrive
   * @param stall how long a body or an answer may make no progress
   * @param budget how long a request waits for its share of the in-flight bytes before 429
   * @param claimLease how long a job may take to insert what it claimed
   */
  public record Timeouts(
      Duration idle, Duration request, Duration stall, Duration budget, Duration claimLease) {
    /** Checks every value. */
    public Timeouts {
      requirePositive("idleTimeout", idle);
      requirePositive("requestTimeout", request);
      requirePositive("stallTimeout", stall);
      requirePositive("budgetTimeout", budget);
      requirePositive("claimLease", claimLease);
    }
  }

  private static final Limits DEFAULT_LIMITS =
      new Limits(
          1024,
          1L << 30,
          Wire.DEFAULT_MAX_BLOB_BYTES,
          64L << 20,
          Wire.DEFAULT_MAX_BLOB_BYTES,
          1 << 18);

  private static final Timeouts DEFAULT_TIMEOUTS =
      new Timeouts(
          Duration.ofMinutes(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5));

  /** Checks the address. */
  public ServerConfig {
    if (host.isBlank()) {
      throw new IllegalArgumentException("no host to listen on; try 127.0.0.1");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not between 0 and 65535");
    }
  }

  /** Returns defaults, listening on a host and port; port 0 lets the system choose one. */
  public static ServerConfig on(String host, int port) {
    return new ServerConfig(
        host,
        port,
        "quiver",
        DEFAULT_LIMITS,
        DEFAULT_TIMEOUTS,
        Optional.empty(),
        AccessControl.OPEN,
        Optional.empty());
  }

  /** Returns a copy with another name. */
  public ServerConfig withName(String value) {
    return new ServerConfig(host, port, value, limits, timeouts, tls, access, advertised);
  }

  /** Returns a copy with TLS. */
  public ServerConfig withTls(TlsConfig value) {
    return new ServerConfig(
        host, port, name, limits, timeouts, Optional.of(value), access, advertised);
  }

  /** Returns a copy with rules of who may make which call. */
  public ServerConfig withAccess(AccessControl value) {
    return new ServerConfig(host, port, name, limits, timeouts, tls, value, advertised);
  }

  /** Returns a copy that tells clients another host, with or without a port. */
  public ServerConfig withAdvertised(String value) {
    return new ServerConfig(host, port, name, limits, timeouts, tls, access, Optional.of(value));
  }

  /** Returns the names of the host that clients use. */
  List<String> names() {
    return AdvertisedAddress.names(host, advertised);
  }

  private ServerConfig with(Limits value) {
    return new ServerConfig(host, port, name, value, timeouts, tls, access, advertised);
  }

  private ServerConfig with(Timeouts value) {
    return new ServerConfig(host, port, name, limits, value, tls, access, advertised);
  }

  /** Returns a copy with another bound on connections. */
  public ServerConfig withMaxConnections(int value) {
    return with(
        new Limits(
            value,
            limits.inFlightBytes,
            limits.connectionInFlightBytes,
            limits.responseBytes,
            limits.blobBytes,
            limits.claims));
  }

  /** Returns a copy with other bounds on the bytes in flight. */
  public ServerConfig withInFlightBytes(long total, long perConnection) {
    return with(
        new Limits(
            limits.connections,
            total,
            perConnection,
            limits.responseBytes,
            limits.blobBytes,
            limits.claims));
  }

  /** Returns a copy with another bound on one batch answer. */
  public ServerConfig withMaxResponseBytes(long value) {
    return with(
        new Limits(
            limits.connections,
            limits.inFlightBytes,
            limits.connectionInFlightBytes,
            value,
            limits.blobBytes,
            limits.claims));
  }

  /** Returns a copy with another longest blob. */
  public ServerConfig withMaxBlobBytes(long value) {
    return with(
        new Limits(
            limits.connections,
            limits.inFlightBytes,
            limits.connectionInFlightBytes,
            limits.responseBytes,
            value,
            limits.claims));
  }

  /** Returns a copy with another bound on claims. */
  public ServerConfig withMaxClaims(int value) {
    return with(
        new Limits(
            limits.connections,
            limits.inFlightBytes,
            limits.connectionInFlightBytes,
            limits.responseBytes,
            limits.blobBytes,
            value));
  }

  /** Returns a copy with another time between requests. */
  public ServerConfig withIdleTimeout(Duration value) {
    return with(
        new Timeouts(
            value, timeouts.request, timeouts.stall, timeouts.budget, timeouts.claimLease));
  }

  /** Returns a copy with another time for the head of a request. */
  public ServerConfig withRequestTimeout(Duration value) {
    return with(
        new Timeouts(timeouts.idle, value, timeouts.stall, timeouts.budget, timeouts.claimLease));
  }

  /** Returns a copy with another time for a body or an answer that stands still. */
  public ServerConfig withStallTimeout(Duration value) {
    return with(
        new Timeouts(timeouts.idle, timeouts.request, value, timeouts.budget, timeouts.claimLease));
  }

  /** Returns a copy with another wait for in-flight bytes. */
  public ServerConfig withBudgetTimeout(Duration value) {
    return with(
        new Timeouts(timeouts.idle, timeouts.request, timeouts.stall, value, timeouts.claimLease));
  }

  /** Returns a copy with another lease of claims. */
  public ServerConfig withClaimLease(Duration value) {
    return with(
        new Timeouts(timeouts.idle, timeouts.request, timeouts.stall, timeouts.budget, value));
  }

  private static void requirePositive(String what, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(what + " must be positive, not " + value);
    }
  }

  private static void requirePositive(String what, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          what + " must be positive, not " + PlainDuration.of(value));
    }
  }
}
