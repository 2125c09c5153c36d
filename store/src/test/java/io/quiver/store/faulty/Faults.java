package io.quiver.store.faulty;

import java.time.Duration;

/**
 * The faults to inject and their shares; equal seeds repeat the same faults.
 *
 * @param seed of the random faults
 * @param missing share of reads' hashes, 0 to 1, that are not found although they are here
 * @param refusing share of puts that end in a disk failure
 * @param slow share of calls that take longer
 * @param delay how much longer
 */
public record Faults(long seed, double missing, double refusing, double slow, Duration delay) {
  public Faults {
    requireShare("missing", missing);
    requireShare("refusing", refusing);
    requireShare("slow", slow);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay is " + delay + " but must not be negative");
    }
  }

  /** Returns settings without faults. */
  public static Faults none(long seed) {
    return new Faults(seed, 0, 0, 0, Duration.ZERO);
  }

  /** Returns a copy with this share of blobs not found. */
  public Faults withMissing(double share) {
    return new Faults(seed, share, refusing, slow, delay);
  }

  /** Returns a copy with this share of puts refused. */
  public Faults withRefusing(double share) {
    return new Faults(seed, missing, share, slow, delay);
  }

  /** Returns a copy with this share of calls delayed. */
  public Faults withSlow(double share, Duration longer) {
    return new Faults(seed, missing, refusing, share, longer);
  }

  private static void requireShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " is " + share + " but must be from 0 to 1");
    }
  }
}
