package io.quiver.core.stream.pattern;

import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Windows of reads for tests; each read is a millisecond younger than the one before. */
final class Windows {
  private Windows() {}

  /** Returns reads by one reader of items that are listed. */
  static StreamWindow listed(int population, int... items) {
    return read(Indexing.LISTED, population, items, new int[items.length]);
  }

  /** Returns reads by readers that are told apart. */
  static StreamWindow byReaders(int population, int[] items, int[] readers) {
    return read(Indexing.LISTED, population, items, readers);
  }

  /** Returns reads under any numbering. */
  static StreamWindow read(Indexing indexing, int population, int[] items, int[] readers) {
    int[] ages = new int[items.length];
    Arrays.setAll(ages, read -> items.length - 1 - read);
    return new StreamWindow(indexing, population, items, readers, ages);
  }

  static OrderedReads order(int population, int... items) {
    return OrderedReads.every(listed(population, items));
  }

  /** Returns reads of items in order. */
  static int[] scan(int first, int step, int reads) {
    return IntStream.range(0, reads).map(read -> first + step * read).toArray();
  }

  /** Draws each item from all. */
  static int[] uniform(int population, int reads, Random random) {
    return random.ints(reads, 0, population).toArray();
  }

  /** Draws items, each once. */
  static int[] epoch(int population, int reads, Random random) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, population).boxed().toList());
    Collections.shuffle(all, random);
    return all.subList(0, reads).stream().mapToInt(item -> item).toArray();
  }

  /** Draws half of the reads from a few items that lie anywhere, and half from all. */
  static int[] skewed(int population, int popular, int reads, Random random) {
    int[] hot = epoch(population, popular, random);
    return IntStream.range(0, reads)
        .map(read ->
            random.nextBoolean() ? hot[random.nextInt(popular)] : random.nextInt(population))
        .toArray();
  }

  /** Mixes scans of as many parts of all items as there are readers. */
  static int[] parallelScans(int population, int readers, int reads, Random random) {
    int part = population / readers;
    int[] next = IntStream.range(0, readers).map(reader -> reader * part).toArray();
    return IntStream.range(0, reads).map(read -> next[random.nextInt(readers)]++).toArray();
  }
}
