package io.quiver.remote;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reaching an Azure Blob account.
 *
 * <p>A setting that is absent here is taken from the environment, by the names Azure's own tools
 * use: {@code AZURE_STORAGE_CONNECTION_STRING}, {@code AZURE_STORAGE_ACCOUNT}, {@code
 * AZURE_STORAGE_KEY}, {@code AZURE_STORAGE_SAS_TOKEN}.
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

  /** Takes every setting from the environment. */
  public static final AzureConfig DEFAULT = new AzureConfig(null, null, null, null, null, false);

  /** Returns a copy with this endpoint. */
  public AzureConfig withEndpoint(URI address) {
    return new AzureConfig(address, account, connectionString, accountKey, sasToken, anonymous);
  }

  /** Returns a copy with this account name. */
  public AzureConfig withAccount(String name) {
    return new AzureConfig(endpoint, name, connectionString, accountKey, sasToken, anonymous);
  }

  /** Returns a copy with a connection string, which holds endpoint, account and key. */
  public AzureConfig withConnectionString(Secret value) {
    return new AzureConfig(endpoint, account, value, accountKey, sasToken, anonymous);
  }

  /** Returns a copy that signs with the account's shared key. */
  public AzureConfig withAccountKey(Secret value) {
    return new AzureConfig(endpoint, account, connectionString, value, sasToken, anonymous);
  }

  /** Returns a copy that presents a shared access signature. */
  public AzureConfig withSasToken(Secret value) {
    return new AzureConfig(endpoint, account, connectionString, accountKey, value, anonymous);
  }

  /** Returns a copy that sends unsigned requests, or not. */
  public AzureConfig withAnonymous(boolean wanted) {
    return new AzureConfig(endpoint, account, connectionString, accountKey, sasToken, wanted);
  }
}
