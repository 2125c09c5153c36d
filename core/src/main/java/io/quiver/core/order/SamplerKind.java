package io.quiver.core.order;

import java.util.Locale;

/** The ways to put an epoch in order. All deliver every item exactly once. */
public enum SamplerKind {
  /** Draws among what is cached; the default. */
  SUBSTITUTE,
  /** Quiver's Algorithm 1 to the letter: asks for ten times the batch and takes what is there. */
  PAPER,
  /** One seeded shuffle of the whole data set, the same in every run whatever is cached. */
  STRICT;

  /** Returns the kind with this name, as it is written on a command line. */
  public static SamplerKind parse(String text) {
    for (SamplerKind kind : values()) {
      if (kind.text().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "unknown sampler '" + text + "'; use substitute, paper or strict");
  }

  /** Returns the name on a command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return text();
  }
}
