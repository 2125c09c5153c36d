package io.quiver.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Counts what a client must not leave behind. */
public final class Leaks {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private Leaks() {}

  /** Sockets that this process has open. */
  public static long sockets() {
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      return descriptors.filter(Leaks::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // Closed since it was listed.
    }
  }

  /** Platform threads that clients have started. */
  public static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("quiver-client"))
        .count();
  }
}
