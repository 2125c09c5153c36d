package io.quiver.core.importance;

import java.util.Locale;

/** The ways to draw the lists of a job that reads by importance. */
public enum ImportanceMode {
  /**
   * Ours: draws one epoch ahead with a floor for coverage and the repeats of a sample close
   * together. Keeps what is used soonest.
   */
  SHADE,
  /** As {@link #SHADE}, but draws at the boundary of epochs: scores are newer, less is foreseen. */
  SHADE_BOUNDARY,
  /** The paper's equations: draws at the boundary, without a floor, and keeps the highest score. */
  SHADE_PAPER;

  /** Returns the name that commands, reports and documents use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns true if the list of the next epoch is known during an epoch. */
  boolean drawsAhead() {
    return this == SHADE;
  }

  /** Returns true if blobs are kept by their scores instead of their next use. */
  boolean ranksByScore() {
    return this == SHADE_PAPER;
  }
}
