package io.quiver.core.stream;

import java.util.Locale;

/** The ways in which a stream's items are read (IGTCache, §2.2). */
public enum AccessPattern {
  /** Too little is known. */
  UNKNOWN,
  /** In order: the next items are known, and none is read again. */
  SEQUENTIAL,
  /** In an order that is drawn anew each time, every item equally often: training. */
  RANDOM,
  /** Some items far more often than others: queries. */
  SKEWED;

  /** Returns the word for this pattern in documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
