package io.quiver.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version this server was built as, written into its resources by the build. */
final class Version {
  private Version() {}

  static String text() {
    try (InputStream resource = Version.class.getResourceAsStream("version.txt")) {
      return resource == null
          ? "unknown"
          : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the server's own version", e);
    }
  }
}
