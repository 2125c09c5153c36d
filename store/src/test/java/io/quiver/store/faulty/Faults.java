package io.quiver.store.faulty;

import java.time.Duration;

/**
 * What goes wrong and how often; the seed makes it go wrong the same way again.
 *
 * @param seed of the dice
 * @param missing share of reads' hashes, 0 to 1, that are not found although they are here
 * @param refusing share of puts that end in a disk failure
 * @param slow share of calls that take longer
 * @param delay how much longer
 */
public record Faults(long seed, double missing, double refusing, double slow, Duration delay) {
  /** Checks the shares. */
  public Faults {
    requireShare("missing", missing);
    requireShare("refusing", refusing);
    requireShare("slow", slow);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay is " + delay + " but must not be negative");
    }
  }

  /** Nothing goes wrong. */
  public static Faults none(long seed) {
    return new Faults(seed, 0, 0, 0, Duration.ZERO);
  }

  /** As these, with this share of blobs not found. */
  public Faults withMissing(double share) {
    return new Faults(seed, share, refusing, slow, delay);
  }

  /** As these, with this share of puts refused. */
  public Faults withRefusing(double share) {
    return new Faults(seed, missing, share, slow, delay);
  }

  /** As these, with this share of calls delayed. */
  public Faults withSlow(double share, Duration longer) {
    return new Faults(seed, missing, refusing, share, longer);
  }

  private static void requireShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " is " + share + " but must be from 0 to 1");
    }
  }
}
