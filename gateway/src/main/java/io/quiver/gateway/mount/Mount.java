package io.quiver.gateway.mount;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.mount.fuse.FuseMount;
import io.quiver.gateway.mount.fuse.FuseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A door mounted as a read-only folder, until it is closed or somebody unmounts it. When the
 * process dies, the system unmounts.
 */
public final class Mount implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Mount.class);

  /** The bytes the kernel reads ahead of a sequential reader. */
  private static final int READ_AHEAD_KIB = 4096;

  private final Path target;
  private final FuseMount mount;
  private final DoorFiles files;

  private Mount(Path target, FuseMount mount, DoorFiles files) {
    this.target = target;
    this.mount = mount;
    this.files = files;
  }

  /**
   * Mounts a door. The door stays the caller's, who closes it after the mount.
   *
   * @param target an empty folder
   */
  public static Mount open(Door door, Path target, MountConfig config)
      throws IOException, InterruptedException {
    Path helper = MountPoint.requireHelper(config.othersAllowed());
    Path real = MountPoint.require(target);
    DoorFiles files = new DoorFiles(door, config, Instant.now(), System::nanoTime);
    FuseSettings settings = new FuseSettings(config.threads(), config.freshness().toNanos());
    FuseMount mount;
    try {
      mount = FuseMount.open(helper, real, options(config), files, settings);
    } catch (IOException failure) {
      throw new MountException(target + " cannot be mounted: " + failure.getMessage());
    }
    files.connect(mount::forgetName);
    raiseReadAhead(real);
    return new Mount(real, mount, files);
  }

  private static String options(MountConfig config) {
    String source = config.source().replace("\\", "\\\\").replace(",", "\\,");
    return "ro,nosuid,nodev,default_permissions,auto_unmount,subtype=quiver,fsname="
        + source
        + (config.othersAllowed() ? ",allow_other" : "");
  }

  /** Lets the kernel read further ahead than 128 KiB. Only root may say so. */
  private static void raiseReadAhead(Path target) {
    MountPoint.deviceOf(target)
        .map(device -> Path.of("/sys/class/bdi", device, "read_ahead_kb"))
        .filter(Files::isWritable)
        .ifPresent(setting -> {
          try {
            Files.writeString(setting, Integer.toString(READ_AHEAD_KIB));
          } catch (IOException refused) {
            log.debug("the kernel keeps its read-ahead: {}", refused.getMessage());
          }
        });
  }

  /** Returns the folder where the objects appear. */
  public Path target() {
    return target;
  }

  /** Waits until the folder is unmounted, whoever does it. */
  public void awaitEnd() throws InterruptedException {
    mount.awaitEnd();
  }

  /** Unmounts. */
  @Override
  public void close() {
    mount.close();
    files.close();
  }
}
