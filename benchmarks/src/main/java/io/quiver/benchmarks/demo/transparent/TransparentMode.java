package io.quiver.benchmarks.demo.transparent;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The caches compared by this demo. */
public enum TransparentMode {
  /** Doors read the store; only their small memory stands between. */
  NONE("no cache"),
  /** One space for everything that forgets what was not read for longest. */
  LRU("shared LRU"),
  /** Doors recognise streams; each gets the policy and the bytes that suit it. */
  STREAMS("Quiver");

  private final String title;

  TransparentMode(String title) {
    this.title = title;
  }

  /** Returns the title for people. */
  public String title() {
    return title;
  }

  /** Returns the word for the command line and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the class that colours it in plots. */
  String style() {
    return this == STREAMS ? "quiver" : word();
  }

  /** Returns the mode with this word. */
  public static TransparentMode parse(String text) {
    for (TransparentMode mode : values()) {
      if (mode.word().equals(text.strip().toLowerCase(Locale.ROOT))) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "--modes "
            + text
            + " is not known; with --transparent use some of "
            + Arrays.stream(values()).map(TransparentMode::word).collect(Collectors.joining(", ")));
  }
}
