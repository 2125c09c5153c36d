package io.quiver.remote.azure;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.quiver.remote.AzureConfig;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteConfig.Timeouts;
import io.quiver.remote.Secret;
import io.quiver.remote.http.HttpRequests;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds Azure clients from the configuration and the environment.
 *
 * <p>Credentials are, in this order: none if anonymous, a connection string, a shared access
 * signature, an account key. Directory identities are not offered: their SDK is larger than all
 * else here together. The SDK's own retries are off, because {@link RetryingStore} retries.
 */
public record AzureStores(BlobContainerClient container, Duration attempt, HttpClient http) {

  /** Returns the blobs below a folder of the container. */
  public AzureSource source(ObjectAddress folder) {
    return new AzureSource(container, folder, attempt, http::shutdownNow);
  }

  /**
   * Returns a client for a container with the credentials of the configuration or the environment.
   */
  public static AzureStores connect(
      String container, RemoteConfig config, Map<String, String> environment) throws IOException {
    AzureConfig azure = withEnvironment(config.azure(), environment);
    HttpClient http = HttpRequests.client(config);
    Timeouts timeouts = config.timeouts();
    Duration attempt = timeouts.connect().plus(timeouts.read());
    BlobContainerClientBuilder builder =
        new BlobContainerClientBuilder()
            .containerName(container)
            .retryOptions(noRetries(attempt))
            .httpClient(
                new JdkHttpClientBuilder(new PreparedClient(http))
                    .connectionTimeout(timeouts.connect())
                    .responseTimeout(timeouts.read())
                    .readTimeout(timeouts.read())
                    .build());
    return new AzureStores(authorized(builder, azure), attempt, http);
  }

  private static RequestRetryOptions noRetries(Duration attempt) {
    int seconds = (int) Math.min(Integer.MAX_VALUE, Math.max(1, attempt.toSeconds() + 1));
    return new RequestRetryOptions(RetryPolicyType.FIXED, 1, seconds, null, null, null);
  }

  private static BlobContainerClient authorized(
      BlobContainerClientBuilder builder, AzureConfig azure) {
    Secret connection = azure.connectionString();
    if (connection != null && !azure.anonymous()) {
      return builder.connectionString(connection.reveal()).buildClient();
    }
    builder.endpoint(endpoint(azure));
    if (azure.anonymous()) {
      return builder.setAnonymousAccess().buildClient();
    }
    if (azure.sasToken() != null) {
      return builder.sasToken(azure.sasToken().reveal()).buildClient();
    }
    if (azure.accountKey() != null && azure.account() != null) {
      return builder
          .credential(new StorageSharedKeyCredential(azure.account(), azure.accountKey().reveal()))
          .buildClient();
    }
    throw new IllegalArgumentException(
        "no Azure credentials: set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with"
            + " AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or read anonymously");
  }

  private static String endpoint(AzureConfig azure) {
    URI given = azure.endpoint();
    if (given != null) {
      return given.toString();
    }
    if (azure.account() == null) {
      throw new IllegalArgumentException(
          "which Azure account? set AZURE_STORAGE_ACCOUNT, or configure the account or endpoint");
    }
    return "https://" + azure.account() + ".blob.core.windows.net";
  }

  private static AzureConfig withEnvironment(AzureConfig azure, Map<String, String> environment) {
    boolean configured =
        azure.connectionString() != null || azure.accountKey() != null || azure.sasToken() != null;
    if (configured) {
      return azure;
    }
    boolean located = azure.endpoint() != null || azure.account() != null;
    return new AzureConfig(
        azure.endpoint(),
        azure.account() == null ? environment.get("AZURE_STORAGE_ACCOUNT") : azure.account(),
        located ? null : secret(environment, "AZURE_STORAGE_CONNECTION_STRING"),
        secret(environment, "AZURE_STORAGE_KEY"),
        secret(environment, "AZURE_STORAGE_SAS_TOKEN"),
        azure.anonymous());
  }

  private static @Nullable Secret secret(Map<String, String> environment, String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : Secret.of(value);
  }
}
