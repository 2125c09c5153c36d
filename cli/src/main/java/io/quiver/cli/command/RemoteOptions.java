package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.remote.AzureConfig;
import io.quiver.remote.HttpConfig;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.S3Config;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that say how to reach a remote store. Secrets come from the environment, never from
 * options.
 */
final class RemoteOptions {
  @Option(
      names = "--s3-endpoint",
      paramLabel = "<url>",
      description = "Address of another S3 service than Amazon's, such as MinIO or Ceph.")
  private @Nullable URI endpoint;

  @Option(names = "--s3-region", paramLabel = "<name>", description = "Region to sign for.")
  private @Nullable String region;

  @Option(
      names = "--s3-profile",
      paramLabel = "<name>",
      description = "Profile to take credentials and region from.")
  private @Nullable String profile;

  @Option(
      names = "--s3-path-style",
      negatable = true,
      description = "Put the bucket in the path (default with --s3-endpoint).")
  private @Nullable Boolean pathStyle;

  @Option(names = "--s3-anonymous", description = "Send unsigned requests, for public buckets.")
  private boolean s3Anonymous;

  @Option(
      names = "--azure-endpoint",
      paramLabel = "<url>",
      description = "Blob endpoint of the account, if it is not the usual one.")
  private @Nullable URI azureEndpoint;

  @Option(
      names = "--azure-account",
      paramLabel = "<name>",
      description =
          "Account; its key or token comes from AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN"
              + " or AZURE_STORAGE_CONNECTION_STRING.")
  private @Nullable String azureAccount;

  @Option(
      names = "--azure-anonymous",
      description = "Send unsigned requests, for public containers.")
  private boolean azureAnonymous;

  @Option(
      names = "--http-header",
      paramLabel = "<name: value>",
      description = "Header of requests to the host of an http(s) address; may be repeated.")
  private @Nullable List<String> headers;

  @Option(
      names = "--store-ca",
      paramLabel = "<file>",
      description = "PEM file of certificates to trust in addition to the system's.")
  private @Nullable Path trust;

  @Option(
      names = "--connections",
      paramLabel = "<n>",
      defaultValue = "64",
      description = "Most concurrent requests to the store (default: ${DEFAULT-VALUE}).")
  private int connections;

  /** The configuration these options describe. */
  RemoteConfig config() {
    RemoteConfig config =
        RemoteConfig.DEFAULT
            .withS3(s3())
            .withAzure(azure())
            .withHttp(new HttpConfig(headerMap()))
            .withConnections(connections);
    return trust == null ? config : config.withCertificateAuthority(trust);
  }

  private S3Config s3() {
    S3Config config = S3Config.DEFAULT.withAnonymous(s3Anonymous);
    config = endpoint == null ? config : config.withEndpoint(endpoint);
    config = region == null ? config : config.withRegion(region);
    config = profile == null ? config : config.withProfile(profile);
    return pathStyle == null ? config : config.withPathStyle(pathStyle);
  }

  private AzureConfig azure() {
    AzureConfig config = AzureConfig.DEFAULT.withAnonymous(azureAnonymous);
    config = azureEndpoint == null ? config : config.withEndpoint(azureEndpoint);
    return azureAccount == null ? config : config.withAccount(azureAccount);
  }

  private Map<String, String> headerMap() {
    Map<String, String> map = new LinkedHashMap<>();
    for (String header : headers == null ? List.<String>of() : headers) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException(
            "--http-header is written 'Name: value'; this one has no colon");
      }
      map.put(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
    }
    return map;
  }

  /**
   * Finds the store of a digest: the one the user names, or else the one the digest was made from.
   */
  static final class DataPlace {
    private DataPlace() {}

    /**
     * The address to read from.
     *
     * @param named what the user said, if anything
     * @param remedy what to do when nobody knows
     */
    static String of(DatasetDigest digest, Path file, @Nullable String named, String remedy)
        throws CommandFailure {
      String noted = digest.metadata().get(DigestMetadata.SOURCE);
      if (named == null && noted == null) {
        throw new CommandFailure(
            ExitCode.USAGE, file + " does not say where its data is; " + remedy);
      }
      return named != null ? named : String.valueOf(noted);
    }
  }
}
