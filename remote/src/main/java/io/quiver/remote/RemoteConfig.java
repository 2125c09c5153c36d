package io.quiver.remote;

import io.quiver.remote.azure.AzureConfig;
import io.quiver.remote.http.HttpConfig;
import io.quiver.remote.retry.RetryConfig;
import io.quiver.remote.s3.S3Config;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How remote stores are reached. Holds no secret that prints itself.
 *
 * @param s3 for {@code s3://} addresses
 * @param azure for {@code az://} addresses
 * @param http for {@code http(s)://} addresses and lists of them
 * @param timeouts for every call
 * @param retries for every call
 * @param connections how many requests one store has under way at most
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

  /** What suits the public services with credentials from the environment. */
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

  /** Other S3 settings. */
  public RemoteConfig withS3(S3Config value) {
    return new RemoteConfig(
        value, azure, http, timeouts, retries, connections, certificateAuthority);
  }

  /** Other Azure settings. */
  public RemoteConfig withAzure(AzureConfig value) {
    return new RemoteConfig(s3, value, http, timeouts, retries, connections, certificateAuthority);
  }

  /** Other HTTP settings. */
  public RemoteConfig withHttp(HttpConfig value) {
    return new RemoteConfig(s3, azure, value, timeouts, retries, connections, certificateAuthority);
  }

  /** Other timeouts. */
  public RemoteConfig withTimeouts(Timeouts value) {
    return new RemoteConfig(s3, azure, http, value, retries, connections, certificateAuthority);
  }

  /** Other retries. */
  public RemoteConfig withRetries(RetryConfig value) {
    return new RemoteConfig(s3, azure, http, timeouts, value, connections, certificateAuthority);
  }

  /** Another number of requests under way. */
  public RemoteConfig withConnections(int value) {
    return new RemoteConfig(s3, azure, http, timeouts, retries, value, certificateAuthority);
  }

  /** Trusts the certificates of this PEM file too. */
  public RemoteConfig withCertificateAuthority(Path pem) {
    return new RemoteConfig(s3, azure, http, timeouts, retries, connections, pem);
  }
}
