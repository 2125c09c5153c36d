package io.quiver.benchmarks.demo.data;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A made-up data set: items in folders by class like ImageNet's, of log-normal sizes like those of
 * photographs, with content that no disk or link can compress. A seed decides every byte, and each
 * item's bytes follow from its number alone.
 *
 * @param items how many items
 * @param itemBytes how long they are on average
 * @param classes how many folders they lie in; items are ordered by class
 * @param seed decides sizes and content
 */
public record SyntheticImages(int items, int itemBytes, int classes, long seed) {
  /** Spread of the sizes: two thirds of them lie within a factor of 1.5 of the median. */
  private static final double SIGMA = 0.4;

  private static final int LONGEST = 8;

  /** Checks the numbers. */
  public SyntheticImages {
    if (items < 1 || itemBytes < 1 || classes < 1 || classes > items) {
      throw new IllegalArgumentException(
          items + " items of " + itemBytes + " bytes in " + classes + " classes");
    }
  }

  /** Returns the class of an item. */
  public int classOf(int item) {
    return (int) ((long) item * classes / items);
  }

  /** Returns the name of an item's file; names sort as items count. */
  public String name(int item) {
    return String.format(Locale.ROOT, "class-%05d/image-%08d.bin", classOf(item), item);
  }

  /** Returns how long an item is. */
  public int size(int item) {
    double median = itemBytes / Math.exp(SIGMA * SIGMA / 2);
    double size = median * Math.exp(SIGMA * random(item).nextGaussian());
    return (int) Math.clamp(Math.round(size), 1, (long) LONGEST * itemBytes);
  }

  /** Returns the bytes of an item. */
  public byte[] content(int item) {
    byte[] content = new byte[size(item)];
    random(item).split().nextBytes(content);
    return content;
  }

  private SplittableRandom random(int item) {
    return new SplittableRandom(seed * 0x9e3779b97f4a7c15L + item);
  }

  /** Tells this data set from all others: a name for its folder. */
  public String key() {
    return "images-" + items + "x" + itemBytes + "-" + classes + "-" + seed;
  }
}
