package io.quiver.gateway.s3.store;

import io.quiver.gateway.door.Door;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.open.RemoteStores;
import io.quiver.remote.s3.S3Stores;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens stores by their address: buckets of S3 services and folders of files can be changed, all
 * others only be read.
 */
public final class BucketOpener implements StoreOpener {
  private final RemoteConfig config;
  private final DoorOpener doors;

  /** Opens a door to a store. */
  @FunctionalInterface
  public interface DoorOpener {
    /** Returns a door that closes the store with itself. */
    Door open(RemoteStore store) throws IOException;
  }

  /**
   * Makes an opener.
   *
   * @param config how stores are reached
   * @param doors opens the door to each
   */
  public BucketOpener(RemoteConfig config, DoorOpener doors) {
    this.config = config;
    this.doors = doors;
  }

  @Override
  public OpenStore open(String address, String profile) throws IOException {
    RemoteConfig remote =
        profile.isEmpty() ? config : config.withS3(config.s3().withProfile(profile));
    return switch (ObjectAddress.scheme(address)) {
      case "s3" -> bucket(ObjectAddress.parse(address).asFolder(), remote);
      case "az" -> readOnly(ObjectAddress.parse(address).asFolder().toString(), remote);
      case "" -> folder(Path.of(address), remote);
      case "file" -> folder(ObjectAddress.filePath(address), remote);
      default -> readOnly(address, remote);
    };
  }

  private OpenStore bucket(ObjectAddress folder, RemoteConfig remote) throws IOException {
    S3Writes writes = new S3Writes(S3Stores.connect(remote), folder);
    try {
      return new OpenStore(door(RemoteStores.open(folder.toString(), remote)), writes);
    } catch (IOException | RuntimeException e) {
      writes.close();
      throw e;
    }
  }

  private OpenStore folder(Path path, RemoteConfig remote) throws IOException {
    return new OpenStore(door(RemoteStores.open(path.toString(), remote)), new FolderWrites(path));
  }

  private OpenStore readOnly(String address, RemoteConfig remote) throws IOException {
    RemoteStore store = RemoteStores.open(address, remote);
    return new OpenStore(door(store), ObjectWrites.none(store));
  }

  private Door door(RemoteStore store) throws IOException {
    try {
      return doors.open(store);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }
}
