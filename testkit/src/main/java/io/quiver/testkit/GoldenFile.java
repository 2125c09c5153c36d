package io.quiver.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file under test-vectors that tests of every language compare with. Such files may gain company
 * but never change.
 *
 * <p>{@code -Dquiver.test.vectors.write=true} writes those that are missing.
 */
public final class GoldenFile {
  private static final Path ROOT =
      Path.of(System.getProperty("quiver.test.vectors", "../test-vectors"));

  private GoldenFile() {}

  /** Insists that a file holds this text, to the last character. */
  public static void requireText(String folder, String name, String text) {
    Path file = ROOT.resolve(folder).resolve(name);
    try {
      if (Boolean.getBoolean("quiver.test.vectors.write") && !Files.exists(file)) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
      }
      // Not by assertEquals: a difference in a file this long is told by its place.
      assertThat(firstDifference(Files.readString(file), text)).as(name).isEqualTo("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String firstDifference(String golden, String text) {
    if (golden.equals(text)) {
      return "";
    }
    int at = 0;
    while (at < Math.min(golden.length(), text.length()) && golden.charAt(at) == text.charAt(at)) {
      at++;
    }
    return "at character "
        + at
        + ": golden \""
        + around(golden, at)
        + "\", now \""
        + around(text, at)
        + "\"";
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 40), Math.min(text.length(), at + 40));
  }
}
