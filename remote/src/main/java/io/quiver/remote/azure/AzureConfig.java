package io.quiver.remote.azure;

import io.quiver.remote.Secret;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an Azure Blob account.
 *
 * <p>What is absent here is taken from the environment, by the names Azure's own tools use: {@code
 * AZURE_STORAGE_CONNECTION_STRING}, {@code AZURE_STORAGE_ACCOUNT}, {@code AZURE_STORAGE_KEY},
 * {@code AZURE_STORAGE_SAS_TOKEN}.
 *
 * @param endpoint the account's blob endpoint, when it is not {@code
 *     https://ACCOUNT.blob.core.windows.net}
 * @param account the account's name
 * @param connectionString holds endpoint, account and key in one
 * @param accountKey the account's shared key
 * @param sasToken a shared access signature
 * @param anonymous send unsigned requests, for public containers
 */
public record AzureConfig(
    @Nullable URI endpoint,
    @Nullable String account,
    @Nullable Secret connectionString,
    @Nullable Secret accountKey,
    @Nullable Secret sasToken,
    boolean anonymous) {

  /** Everything from the environment. */
  public static final AzureConfig DEFAULT = new AzureConfig(null, null, null, null, null, false);

  /** The account behind this endpoint. */
  public AzureConfig withEndpoint(URI address) {
    return new AzureConfig(address, account, connectionString, accountKey, sasToken, anonymous);
  }

  /** The account of this name. */
  public AzureConfig withAccount(String name) {
    return new AzureConfig(endpoint, name, connectionString, accountKey, sasToken, anonymous);
  }

  /** Endpoint, account and key in one. */
  public AzureConfig withConnectionString(Secret value) {
    return new AzureConfig(endpoint, account, value, accountKey, sasToken, anonymous);
  }

  /** Signs with the account's shared key. */
  public AzureConfig withAccountKey(Secret value) {
    return new AzureConfig(endpoint, account, connectionString, value, sasToken, anonymous);
  }

  /** Presents a shared access signature. */
  public AzureConfig withSasToken(Secret value) {
    return new AzureConfig(endpoint, account, connectionString, accountKey, value, anonymous);
  }

  /** Sends unsigned requests. */
  public AzureConfig withAnonymous(boolean wanted) {
    return new AzureConfig(endpoint, account, connectionString, accountKey, sasToken, wanted);
  }
}
