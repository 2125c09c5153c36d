package io.quiver.remote;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reading remote stores. Holds no secret that prints itself.
 *
 * @param s3 for {@code s3://} addresses
 * @param azure for {@code az://} addresses
 * @param http for {@code http(s)://} addresses and lists of them
 * @param timeouts for every call
 * @param retries for every call
 * @param connections the most concurrent requests of one store
 * @param certificateAuthority a PEM file of certificates to trust beside the system's own
 */
public record RemoteConfig(
    S3Config s3,
    AzureConfig azure,
    HttpConfig http,
    Timeouts timeouts,
    RetryConfig retries,
    int connections,
    @Nullable Path certificateAuthority) {

  /** Settings for the public services with credentials from the environment. */
  public static final RemoteConfig DEFAULT =
      new RemoteConfig(
          S3Config.DEFAULT,
          AzureConfig.DEFAULT,
          HttpConfig.DEFAULT,
          Timeouts.DEFAULT,
          RetryConfig.DEFAULT,
          64,
          null);

  public RemoteConfig {
    if (connections < 1 || connections > 10_000) {
      throw new IllegalArgumentException("connections must be 1 to 10000, not " + connections);
    }
  }

  /** Returns a copy with other S3 settings. */
  public RemoteConfig withS3(S3Config value) {
    return new RemoteConfig(
        value, azure, http, timeouts, retries, connections, certificateAuthority);
  }

  /** Returns a copy with other Azure settings. */
  public RemoteConfig withAzure(AzureConfig value) {
    return new RemoteConfig(s3, value, http, timeouts, retries, connections, certificateAuthority);
  }

  /** Returns a copy with other HTTP settings. */
  public RemoteConfig withHttp(HttpConfig value) {
    return new RemoteConfig(s3, azure, value, timeouts, retries, connections, certificateAuthority);
  }

  /** Returns a copy with other timeouts. */
  public RemoteConfig withTimeouts(Timeouts value) {
    return new RemoteConfig(s3, azure, http, value, retries, connections, certificateAuthority);
  }

  /** Returns a copy with other retry settings. */
  public RemoteConfig withRetries(RetryConfig value) {
    return new RemoteConfig(s3, azure, http, timeouts, value, connections, certificateAuthority);
  }

  /** Returns a copy with another bound on concurrent requests. */
  public RemoteConfig withConnections(int value) {
    return new RemoteConfig(s3, azure, http, timeouts, retries, value, certificateAuthority);
  }

  /** Returns a copy that trusts the certificates of this PEM file too. */
  public RemoteConfig withCertificateAuthority(Path pem) {
    return new RemoteConfig(s3, azure, http, timeouts, retries, connections, pem);
  }

  /**
   * Bounds on the time a store may take before a call fails.
   *
   * @param connect to establish a connection
   * @param read without a single byte arriving, including the wait for an answer to begin
   * @param call for a whole call with all its retries: listing one page, a stat, a read into a
   *     buffer, the opening of a stream. A stream that is being read is bounded by {@code read}
   *     between bytes and by {@code call} for each time it has to be resumed.
   */
  public record Timeouts(Duration connect, Duration read, Duration call) {
    /** Ten seconds to connect, thirty without a byte, two minutes in all. */
    public static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(2));

    public Timeouts {
      Map.of("connect", connect, "read", read, "call", call)
          .forEach((name, value) -> {
            if (!value.isPositive()) {
              throw new IllegalArgumentException(
                  "the " + name + " timeout must be positive, not " + value);
            }
          });
    }
  }
}
