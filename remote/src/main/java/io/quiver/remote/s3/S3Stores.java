package io.quiver.remote.s3;

import io.quiver.remote.Certificates;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.S3Config;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.TrustManager;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Builds S3 clients from the configuration.
 *
 * <p>The SDK's own retries are off, because {@link RetryingStore} retries with a budget. Checksums
 * are only used where S3 requires them: many other services do not know the newer ones.
 */
public record S3Stores(S3Client client, SdkHttpClient http, boolean foreign)
    implements AutoCloseable {

  /** Returns a client with credentials from the SDK's default chain, or the profile's, or none. */
  public static S3Stores connect(RemoteConfig config) throws IOException {
    return connect(config, credentials(config.s3()));
  }

  /** Returns a client with these credentials. */
  public static S3Stores connect(RemoteConfig config, AwsCredentialsProvider credentials)
      throws IOException {
    SdkHttpClient http = http(config);
    S3Client client = client(config, credentials, http);
    return new S3Stores(client, http, config.s3().endpoint() != null);
  }

  /** Returns the objects below a folder. */
  public S3Source source(ObjectAddress folder) {
    return new S3Source(client, folder, foreign, this::close);
  }

  /** Ends the requests under way; the SDK leaves a client it was given alone. */
  @Override
  public void close() {
    client.close();
    http.close();
  }

  private static S3Client client(
      RemoteConfig config, AwsCredentialsProvider credentials, SdkHttpClient http) {
    S3Config s3 = config.s3();
    Duration attempt = config.timeouts().connect().plus(config.timeouts().read());
    S3ClientBuilder builder =
        S3Client.builder()
            .credentialsProvider(credentials)
            .forcePathStyle(s3.pathStyle())
            .region(region(s3))
            .crossRegionAccessEnabled(s3.endpoint() == null)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .httpClient(http)
            .overrideConfiguration(override ->
                override
                    .addExecutionInterceptor(new LeadingSlash())
                    .retryStrategy(AwsRetryStrategy.doNotRetry())
                    .apiCallTimeout(config.timeouts().call())
                    .apiCallAttemptTimeout(attempt));
    if (s3.endpoint() != null) {
      builder.endpointOverride(s3.endpoint());
    }
    return builder.build();
  }

  private static SdkHttpClient http(RemoteConfig config) throws IOException {
    Apache5HttpClient.Builder builder =
        Apache5HttpClient.builder()
            .maxConnections(config.connections())
            .connectionTimeout(config.timeouts().connect())
            .connectionAcquisitionTimeout(config.timeouts().call())
            .socketTimeout(config.timeouts().read());
    Path authority = config.certificateAuthority();
    if (authority != null) {
      TrustManager[] managers = Certificates.trustManagers(authority);
      builder.tlsTrustManagersProvider(() -> managers);
    }
    return builder.build();
  }

  private static AwsCredentialsProvider credentials(S3Config s3) {
    if (s3.anonymous()) {
      return AnonymousCredentialsProvider.create();
    }
    return DefaultCredentialsProvider.builder().profileName(s3.profile()).build();
  }

  /**
   * Returns the configured region, or the environment's; Amazon's first one where nothing says so.
   */
  private static Region region(S3Config s3) {
    String named = s3.region();
    if (named != null) {
      return Region.of(named);
    }
    try {
      return regions(s3).getRegion();
    } catch (SdkClientException unknown) {
      return Region.US_EAST_1;
    }
  }

  /**
   * Returns the chain that finds the region; only Amazon's own machines are asked, because asking
   * takes seconds.
   */
  private static AwsRegionProvider regions(S3Config s3) {
    return s3.endpoint() == null && !s3.anonymous()
        ? DefaultAwsRegionProviderChain.builder().profileName(s3.profile()).build()
        : new AwsRegionProviderChain(
            new SystemSettingsRegionProvider(), new AwsProfileRegionProvider(null, s3.profile()));
  }
}
