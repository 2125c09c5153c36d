package io.quiver.gateway.mount;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quiver.gateway.door.Door;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Helps tests that mount for real. */
final class Mounting {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private Mounting() {}

  /** Skips the test where this machine cannot mount. */
  static void assumePossible() {
    try {
      MountPoint.requireHelper(false);
    } catch (MountException missing) {
      assumeTrue(false, "skipped, because mounts do not work here: " + missing.getMessage());
    }
    assumeTrue(
        Files.isReadable(Path.of("/dev/fuse")) && Files.isWritable(Path.of("/dev/fuse")),
        "skipped, because this process may not open /dev/fuse");
  }

  /** Mounts at a new folder. */
  static Mount mount(Door door, Path parent, Duration freshness)
      throws IOException, InterruptedException {
    Path target = Files.createTempDirectory(parent, "mount");
    return Mount.open(door, target, MountConfig.of("quiver:test", freshness));
  }

  /** Runs a program to its end and returns what it printed; fails if it fails. */
  static String run(Path folder, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("quiver-mount", ".out");
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(String.join(" ", command) + " was not done in time");
      }
      String text = Files.readString(output, StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new AssertionError(String.join(" ", command) + " failed: " + text);
      }
      return text;
    } finally {
      Files.delete(output);
    }
  }
}
