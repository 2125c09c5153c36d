package io.quiver.gateway.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at a folder and at this machine before something is mounted there. */
final class MountPoint {
  private static final Path DEVICE = Path.of("/dev/fuse");
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final Path FUSE_CONFIG = Path.of("/etc/fuse.conf");
  private static final String HELPER = "fusermount3";
  private static final int DEVICE_FIELD = 2;
  private static final int TARGET_FIELD = 4;

  private MountPoint() {}

  /** Returns the real path of a folder that something can be mounted at. */
  static Path require(Path target) throws MountException {
    Path absolute = target.toAbsolutePath().normalize();
    try {
      Files.readAttributes(absolute, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException missing) {
      throw new MountException(
          target + " does not exist; make the folder first: mkdir -p " + target);
    } catch (IOException unreadable) {
      throw unreadable(target, absolute, unreadable);
    }
    try {
      Path real = absolute.toRealPath();
      // The kernel may remember attributes of a dead mount, but it cannot list it.
      Files.list(real).close();
      if (deviceOf(real).isPresent()) {
        throw new MountException(
            target + " has something mounted already; unmount it first: umount " + target);
      }
      requireEmpty(target, real);
      return real;
    } catch (MountException known) {
      throw known;
    } catch (NotDirectoryException file) {
      throw new MountException(target + " is not a folder");
    } catch (IOException unreadable) {
      throw unreadable(target, absolute, unreadable);
    }
  }

  private static MountException unreadable(Path target, Path absolute, IOException failure) {
    if (failure instanceof FileSystemException system
        && system.getReason() != null
        && system.getReason().contains("not connected")) {
      return new MountException(
          target
              + " is what a mount left behind whose process has died; clear it first: fusermount3 -uz "
              + absolute);
    }
    return new MountException(target + " cannot be read: " + failure.getMessage());
  }

  private static void requireEmpty(Path target, Path real) throws IOException {
    try (Stream<Path> entries = Files.list(real)) {
      if (entries.findAny().isPresent()) {
        throw new MountException(
            target + " is not empty, and a mount would hide what is in it; name an empty folder");
      }
    }
  }

  /** Returns the program that mounts, after all else was found to be in place. */
  static Path requireHelper(boolean othersAllowed) throws MountException {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new MountException(
          "mounts work on Linux only, not on "
              + System.getProperty("os.name")
              + "; use the S3 endpoint instead");
    }
    Path helper =
        onPath()
            .orElseThrow(() ->
                new MountException(
                    HELPER
                        + " is not installed; it is in the package fuse3 (Debian: apt-get"
                        + " install fuse3)"));
    if (!Files.exists(DEVICE)) {
      throw new MountException(
          DEVICE
              + " is not there: load the kernel's module (modprobe fuse), or start the container"
              + " with --device /dev/fuse --cap-add SYS_ADMIN");
    }
    if (othersAllowed && !isRoot() && !configAllowsOthers()) {
      throw new MountException(
          "other users may be let in only if "
              + FUSE_CONFIG
              + " has the line user_allow_other; ask an administrator for it, or mount without"
              + " --allow-other");
    }
    return helper;
  }

  private static Optional<Path> onPath() {
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
            Stream.of("/usr/bin", "/bin"))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, HELPER))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static boolean configAllowsOthers() {
    try {
      return Files.readAllLines(FUSE_CONFIG).stream()
          .anyMatch(line -> line.strip().equals("user_allow_other"));
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Returns the device number, as major:minor, of what is mounted exactly here. */
  static Optional<String> deviceOf(Path folder) {
    try {
      String escaped = escaped(folder.toString());
      List<String> lines = Files.readAllLines(MOUNTS, StandardCharsets.UTF_8);
      return lines.stream()
          .map(line -> line.split(" "))
          .filter(fields -> fields.length > TARGET_FIELD && fields[TARGET_FIELD].equals(escaped))
          .map(fields -> fields[DEVICE_FIELD])
          .reduce((first, last) -> last);
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Writes a path as the list of mounts does. */
  private static String escaped(String path) {
    return path.replace("\\", "\\134")
        .replace(" ", "\\040")
        .replace("\t", "\\011")
        .replace("\n", "\\012");
  }
}
