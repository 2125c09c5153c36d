package io.quiver.simulator.igt;

import io.quiver.simulator.engine.SeededNumbers;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The order in which a program reads the blocks of a set. */
sealed interface BlockOrder {
  /** Returns the blocks of one pass, in order. */
  int[] pass(FileSet files, SeededNumbers numbers);

  /** All blocks by their names. */
  record ByName() implements BlockOrder {
    @Override
    public int[] pass(FileSet files, SeededNumbers numbers) {
      return IntStream.range(0, files.blocks()).toArray();
    }
  }

  /** The file of the same number in each directory (IGTCache, Figure 7). */
  record Slice(int file) implements BlockOrder {
    @Override
    public int[] pass(FileSet files, SeededNumbers numbers) {
      return IntStream.range(0, files.files())
          .filter(each -> each % files.perDirectory() == file)
          .flatMap(each ->
              IntStream.range(0, files.blocksOfFile())
                  .map(block -> each * files.blocksOfFile() + block))
          .toArray();
    }
  }

  /** All samples in an order that is drawn anew for each pass. */
  record Shuffled(int samplesPerBlock) implements BlockOrder {
    @Override
    public int[] pass(FileSet files, SeededNumbers numbers) {
      int[] order = new int[Math.multiplyExact(files.blocks(), samplesPerBlock)];
      for (int i = 0; i < order.length; i++) {
        int other = numbers.below(i + 1);
        order[i] = order[other];
        order[other] = i / samplesPerBlock;
      }
      return order;
    }
  }

  /**
   * Files or blocks drawn by Zipf's law; popular ones lie anywhere.
   *
   * @param reads number of draws, in all blocks or files of the set
   * @param whole true to read all blocks of a drawn file
   */
  record Drawn(double exponent, double reads, boolean whole) implements BlockOrder {
    @Override
    public int[] pass(FileSet files, SeededNumbers numbers) {
      int units = whole ? files.files() : files.blocks();
      int[] popular =
          new Shuffled(1).pass(new FileSet(0, "ranks", 0, units, 1), rankNumbers(files));
      double[] sums = new double[units];
      double sum = 0;
      for (int rank = 0; rank < units; rank++) {
        sum += Math.pow(rank + 1.0, -exponent);
        sums[rank] = sum;
      }
      int draws = (int) Math.max(1, Math.round(reads * units));
      int perDraw = whole ? files.blocksOfFile() : 1;
      int[] order = new int[draws * perDraw];
      for (int draw = 0; draw < draws; draw++) {
        int found = Arrays.binarySearch(sums, numbers.fraction() * sum);
        int unit = popular[Math.min(units - 1, found < 0 ? -found - 1 : found)];
        for (int block = 0; block < perDraw; block++) {
          order[draw * perDraw + block] = unit * perDraw + block;
        }
      }
      return order;
    }

    /** All programs find the same items popular. */
    private static SeededNumbers rankNumbers(FileSet files) {
      return SeededNumbers.of(files.blocks(), "popularity of " + files.root());
    }
  }
}
