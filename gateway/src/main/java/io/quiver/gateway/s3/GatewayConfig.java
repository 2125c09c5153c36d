package io.quiver.gateway.s3;

import io.quiver.gateway.s3.message.BucketName;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.http.TlsConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of an S3 endpoint.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 takes any free one
 * @param tls certificates, for HTTPS
 * @param buckets where the objects of each bucket are, by the bucket's name
 * @param keys who may use it
 * @param domains names below which the first part of a host is a bucket
 * @param region the region that it says it is in; signatures may name any
 * @param limits bounds on what clients may take
 */
public record GatewayConfig(
    String host,
    int port,
    Optional<TlsConfig> tls,
    Map<String, String> buckets,
    AccessKeys keys,
    List<String> domains,
    String region,
    Limits limits) {
  /** The default port. */
  public static final int DEFAULT_PORT = 7480;

  /** The default region, which clients take where nothing else is said. */
  public static final String DEFAULT_REGION = "us-east-1";

  private static final int MAX_PORT = 65_535;

  /**
   * Bounds on what clients may take.
   *
   * @param connections how many are served at once
   * @param idle longest pause between two requests
   * @param head longest time for the head of a request
   * @param stall longest time without progress of a body or an answer
   * @param documentBytes memory for documents that clients send, all together
   */
  public record Limits(
      int connections, Duration idle, Duration head, Duration stall, long documentBytes) {
    /** The usual bounds. */
    public static final Limits DEFAULT =
        new Limits(
            4096, Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(20), 64L << 20);
  }

  /** Checks names. */
  public GatewayConfig {
    buckets = Map.copyOf(buckets);
    buckets.keySet().forEach(BucketName::require);
    domains = domains.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "port " + port + " does not exist; use 1 to " + MAX_PORT + ", or 0 for any free one");
    }
    if (buckets.isEmpty()) {
      throw new IllegalArgumentException("an S3 endpoint needs a bucket to show");
    }
  }

  /** Returns settings for plain HTTP with the usual bounds. */
  public static GatewayConfig on(
      String host, int port, Map<String, String> buckets, AccessKeys keys) {
    return new GatewayConfig(
        host, port, Optional.empty(), buckets, keys, List.of(), DEFAULT_REGION, Limits.DEFAULT);
  }

  /** Returns a copy with certificates. */
  public GatewayConfig withTls(TlsConfig own) {
    return new GatewayConfig(host, port, Optional.of(own), buckets, keys, domains, region, limits);
  }

  /** Returns a copy with names below which the first part of a host is a bucket. */
  public GatewayConfig withDomains(List<String> names) {
    return new GatewayConfig(host, port, tls, buckets, keys, names, region, limits);
  }

  /** Returns a copy with other bounds. */
  public GatewayConfig withLimits(Limits bounds) {
    return new GatewayConfig(host, port, tls, buckets, keys, domains, region, bounds);
  }
}
