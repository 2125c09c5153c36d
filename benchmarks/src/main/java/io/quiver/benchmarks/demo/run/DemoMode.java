package io.quiver.benchmarks.demo.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The caches compared by the demo. */
public enum DemoMode {
  /** Nothing: every job reads everything from the store. */
  NONE("no cache"),
  /** One cache for all jobs that forgets what was not used for longest. */
  LRU("shared LRU"),
  /** One cache for all jobs that keeps what was read first and evicts nothing. */
  PINNED("pinned only"),
  /** The planned cache and the sampler that goes with it. */
  QUIVER("Quiver"),
  /** A cache as large as the data and full from the start: as fast as it can get. */
  ALL_CACHED("all cached");

  private final String title;

  DemoMode(String title) {
    this.title = title;
  }

  /** Returns the title for people. */
  public String title() {
    return title;
  }

  /** Returns the word for the command line and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the mode with this word. */
  public static DemoMode parse(String text) {
    for (DemoMode mode : values()) {
      if (mode.word().equals(text.strip().toLowerCase(Locale.ROOT))) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "unknown mode \""
            + text
            + "\"; use some of "
            + Arrays.stream(values()).map(DemoMode::word).collect(Collectors.joining(", ")));
  }

  @Override
  public String toString() {
    return word();
  }
}
