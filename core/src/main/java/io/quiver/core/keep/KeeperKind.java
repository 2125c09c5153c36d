package io.quiver.core.keep;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The keepers that a plan can order, by the words that documents use. */
public enum KeeperKind {
  /** Never evicts and refuses beyond its quota: chunks of data sets. */
  FIXED,
  /** Evicts the least recently used blob: the plain shared cache others are compared with. */
  RECENT,
  /** S3-FIFO, or the rule that a model of it shows to be clearly better: skewed access streams. */
  FIFO3,
  /** Admits until it is full, then refuses: random access streams. */
  UNIFORM,
  /** Evicts the lowest priority: importance-ranked working sets. */
  RANKED;

  /** Share of the disk that spaces with scattered victims fill at most. */
  public static final double SCATTERED_FILL = 0.58;

  /** Returns the word for this kind in documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind of this word. */
  public static KeeperKind parse(String text) {
    for (KeeperKind kind : values()) {
      if (kind.word().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "unknown keeper \""
            + text
            + "\"; use one of "
            + Arrays.stream(values()).map(KeeperKind::word).collect(Collectors.joining(", ")));
  }

  /**
   * Returns true if victims lie scattered over what was written before, so that the disk must leave
   * slack or else rewrites much for each blob that goes.
   */
  public boolean scattersVictims() {
    return switch (this) {
      case FIXED, UNIFORM -> false;
      case RECENT, FIFO3, RANKED -> true;
    };
  }

  /**
   * Returns the share of its bytes on disk that a space of this kind keeps filled. The rest is
   * slack: with it, a server that is full writes at most two bytes for each that is inserted.
   */
  public double filledShare() {
    return scattersVictims() ? SCATTERED_FILL : 1;
  }

  /** Makes an empty keeper of this kind. */
  public Keeper keeper(long quotaBytes) {
    return switch (this) {
      case FIXED -> new Fixed(quotaBytes);
      case RECENT -> new Recent(quotaBytes);
      case FIFO3 -> new Fifo3(quotaBytes);
      case UNIFORM -> new Uniform(quotaBytes);
      case RANKED -> new Ranked(quotaBytes);
    };
  }
}
