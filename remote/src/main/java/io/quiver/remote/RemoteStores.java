package io.quiver.remote;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens stores by their address.
 *
 * <p>An address that ends in {@code /} is a folder: its objects are named by their path below it.
 * One that does not is looked up first: if there is an object of exactly that name, the store holds
 * that one object, named by the last part of the address; otherwise the address is a folder. So
 * {@code s3://b/shards/} and {@code s3://b/shards} are the same folder, while {@code
 * s3://b/shards/0.tar} is a store with the single object {@code 0.tar}.
 */
public final class RemoteStores {
  private RemoteStores() {}

  /** Opens an address such as {@code /data}, {@code file:/data} or {@code s3://bucket/data}. */
  public static RemoteStore open(String address, RemoteConfig config) throws IOException {
    return isUri(address) ? open(URI.create(address), config) : openPath(Path.of(address));
  }

  /** Opens an address. */
  public static RemoteStore open(URI address, RemoteConfig config) throws IOException {
    String scheme = address.getScheme() == null ? "" : address.getScheme();
    return switch (scheme) {
      case "file" -> openPath(Path.of(address));
      default ->
          throw new IllegalArgumentException(
              "no store is known for '" + scheme + ":' addresses; use file:, s3:, az:, http(s):");
    };
  }

  private static boolean isUri(String address) {
    return address.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
  }

  private static RemoteStore openPath(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return FileStore.open(path);
    }
    Path real = path.toAbsolutePath().normalize();
    Path folder = real.getParent();
    return new SingleObjectStore(
        FileStore.open(folder == null ? real : folder),
        real.getFileName().toString(),
        real.toUri().toString());
  }
}
