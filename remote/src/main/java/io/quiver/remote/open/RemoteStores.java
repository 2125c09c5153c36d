package io.quiver.remote.open;

import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.SingleObjectStore;
import io.quiver.remote.azure.AzureStores;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.http.WebStores;
import io.quiver.remote.retry.RetryingStore;
import io.quiver.remote.s3.S3Stores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Opens stores by their address.
 *
 * <ul>
 *   <li>{@code /data}, {@code data} or {@code file:/data}: local files
 *   <li>{@code s3://bucket/data}: an S3 bucket
 *   <li>{@code az://container/data}: an Azure Blob container; the account is configured
 *   <li>{@code https://host/list.txt}: a list of URLs, because the name ends in {@code .txt}
 *   <li>{@code https://host/data.tar}: any other web address is one object
 *   <li>{@code @https://host/list} or {@code @list}: a list of URLs whatever it is called, on the
 *       web or in a local file
 * </ul>
 *
 * <p>An address that ends in {@code /} is a folder: its objects are named by their path below it.
 * One that does not is looked up first: if there is an object of exactly that name, the store holds
 * that one object, named by the last part of the address; otherwise the address is a folder. So
 * {@code s3://b/shards/} and {@code s3://b/shards} are the same folder, while {@code
 * s3://b/shards/0.tar} is a store with the single object {@code 0.tar}.
 *
 * <p>Bucket addresses are taken literally, never percent-decoded; {@code file:} and web addresses
 * are URIs.
 */
public final class RemoteStores {

  private RemoteStores() {}

  /** Opens an address. */
  public static RemoteStore open(URI address, RemoteConfig config) throws IOException {
    return open(address.toString(), config);
  }

  /** Opens an address. The caller closes the store. */
  public static RemoteStore open(String address, RemoteConfig config) throws IOException {
    if (address.startsWith("@")) {
      return WebStores.openList(address.substring(1), config);
    }
    return switch (ObjectAddress.scheme(address)) {
      case "" -> openPath(Path.of(address));
      case "file" -> openPath(ObjectAddress.filePath(address));
      case "s3" -> openS3(ObjectAddress.parse(address), config);
      case "az" -> openAzure(ObjectAddress.parse(address), config);
      case "http", "https" -> WebStores.open(address, config);
      default ->
          throw new IllegalArgumentException(
              "no store is known for '"
                  + ObjectAddress.withoutSecrets(address)
                  + "'; use a path, file:, s3://, az://, http(s):// or @list");
    };
  }

  private static RemoteStore openPath(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return FileStore.open(path);
    }
    Path file = path.toAbsolutePath().normalize();
    return new SingleObjectStore(
        FileStore.open(file.resolveSibling("")),
        file.getFileName().toString(),
        file.toUri().toString());
  }

  private static RemoteStore openS3(ObjectAddress address, RemoteConfig config) throws IOException {
    S3Stores service = S3Stores.connect(config);
    return probed(address, folder -> new RetryingStore(service.source(folder), config));
  }

  private static RemoteStore openAzure(ObjectAddress address, RemoteConfig config)
      throws IOException {
    if (address.path().contains("?")) {
      throw new IllegalArgumentException(
          "an az:// address has no query; set AZURE_STORAGE_SAS_TOKEN to use a signature");
    }
    AzureStores account = AzureStores.connect(address.container(), config, System.getenv());
    return probed(address, folder -> new RetryingStore(account.source(folder), config));
  }

  /** Finds out whether an address is an object or a folder. */
  static RemoteStore probed(ObjectAddress address, Function<ObjectAddress, RemoteStore> folders)
      throws IOException {
    if (address.isFolder()) {
      return folders.apply(address);
    }
    RemoteStore parent = folders.apply(address.parent());
    try {
      parent.stat(address.lastPart());
      return new SingleObjectStore(parent, address.lastPart(), address.toString());
    } catch (NoSuchFileException | AccessDeniedException noObject) {
      return folders.apply(address.asFolder());
    } catch (IOException | RuntimeException failure) {
      parent.close();
      throw failure;
    }
  }
}
