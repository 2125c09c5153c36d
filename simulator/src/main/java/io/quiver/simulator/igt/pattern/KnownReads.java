package io.quiver.simulator.igt.pattern;

import io.quiver.core.stream.AccessPattern;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Reads whose pattern is known.
 *
 * @param name tells it from the others
 * @param pattern the pattern that is to be recognised
 * @param items how many items there are
 * @param listed whether a listing numbers the items; otherwise their names are ranked as they come
 * @param start begins such reads, drawn anew
 */
record KnownReads(
    String name,
    AccessPattern pattern,
    int items,
    boolean listed,
    Function<RandomGenerator, ReadSource> start) {

  static KnownReads skewed(String name, int items, Function<RandomGenerator, ReadSource> start) {
    return new KnownReads(name, AccessPattern.SKEWED, items, true, start);
  }

  static KnownReads random(String name, int items, Function<RandomGenerator, ReadSource> start) {
    return new KnownReads(name, AccessPattern.RANDOM, items, true, start);
  }

  static KnownReads sequential(
      String name, int items, Function<RandomGenerator, ReadSource> start) {
    return new KnownReads(name, AccessPattern.SEQUENTIAL, items, true, start);
  }

  /** Returns these reads where nobody has listed the items. */
  KnownReads unlisted() {
    return new KnownReads("unlisted-" + name, pattern, items, false, start);
  }
}
