package io.quiver.gateway.mount;

import io.quiver.gateway.door.StoreDoor;
import io.quiver.remote.file.FileStore;
import java.nio.file.Path;
import java.time.Duration;

/** A process that mounts a folder until somebody unmounts it or kills the process. */
final class MountProcess {
  private MountProcess() {}

  /** Mounts the first folder at the second and says so. */
  public static void main(String[] arguments) throws Exception {
    Duration freshness = Duration.ofMillis(Long.parseLong(arguments[2]));
    try (StoreDoor door = new StoreDoor(FileStore.open(Path.of(arguments[0])));
        Mount mount =
            Mount.open(door, Path.of(arguments[1]), MountConfig.of("quiver:test", freshness))) {
      Runtime.getRuntime().addShutdownHook(new Thread(mount::close));
      System.out.println("mounted " + mount.target());
      mount.awaitEnd();
    }
  }
}
