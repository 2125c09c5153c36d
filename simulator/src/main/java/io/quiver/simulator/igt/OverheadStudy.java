package io.quiver.simulator.igt;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.tree.AccessStreams;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Measures what recognition costs a door (IGTCache, Figure 17): time for a read, and memory. */
public final class OverheadStudy {
  private static final int READS = 200_000;
  private static final int MOST_ADVICES = 32;
  private static final long NANOS_BETWEEN = 1_000_000;
  private static final double NANOS_PER_MICRO = 1e3;

  private OverheadStudy() {}

  /**
   * The cost with a number of nodes.
   *
   * @param nodes most nodes of the tree
   * @param usPerRead time of a read in the tree, in microseconds
   * @param bytes memory of the tree, without listings
   */
  public record Row(int nodes, double usPerRead, long bytes) {}

  /**
   * Measures each number of nodes.
   *
   * @param nanoTime tells the time that the processor has spent
   */
  public static List<Row> run(List<Integer> nodes, long seed, LongSupplier nanoTime) {
    List<BlockAccess> reads = reads(seed);
    List<Row> rows = new ArrayList<>();
    row(nodes.getLast(), reads, nanoTime); // the first run is slow: code is still translated
    nodes.forEach(each -> rows.add(row(each, reads, nanoTime)));
    return rows;
  }

  private static Row row(int nodes, List<BlockAccess> reads, LongSupplier nanoTime) {
    StreamRules rules = rules(nodes);
    AccessStreams streams = new AccessStreams(rules, LiveDoor::streamKey);
    long began = nanoTime.getAsLong();
    for (BlockAccess each : reads) {
      streams.read(each);
      streams
          .advise(MOST_ADVICES, MOST_ADVICES, each.nanos())
          .forEach(advice -> streams.ended(advice, Outcome.FETCHED));
    }
    double micros = (nanoTime.getAsLong() - began) / NANOS_PER_MICRO;
    return new Row(nodes, micros / reads.size(), streams.treeBytes());
  }

  /** Returns the usual rules with another bound of nodes. */
  static StreamRules rules(int nodes) {
    StreamRules usual = StreamRules.STANDARD;
    return new StreamRules(
        usual.window(),
        usual.longWindow(),
        usual.significance(),
        nodes,
        usual.mostListingBytes(),
        usual.depth(),
        usual.mostDepth(),
        usual.hotShare(),
        usual.fillShare(),
        usual.leaseBase());
  }

  /** Returns reads of all patterns by turns, over enough files and directories for any tree. */
  private static List<BlockAccess> reads(long seed) {
    SeededNumbers numbers = SeededNumbers.of(seed, "overhead");
    List<FileSet> sets =
        List.of(
            new FileSet(1, "imagenet/train", 1_000, 1_281_167, 108_000),
            new FileSet(2, "lakebench", 100, 30_000, 6L << 20),
            new FileSet(3, "icoads", 2_000, 20_000, 1_500_000),
            new FileSet(4, "wikipedia", 0, 253, 460_000_000));
    List<BlockAccess> reads = new ArrayList<>(READS);
    for (int i = 0; i < READS; i++) {
      FileSet files = sets.get(i % sets.size());
      int turn = i / sets.size();
      int block =
          switch (i % sets.size()) {
            case 0 -> numbers.below(files.blocks());
            case 2 -> turn % files.blocks();
            default -> (int) (files.blocks() * Math.pow(numbers.fraction(), 4));
          };
      reads.add(
          new BlockAccess(
              files.path(block),
              files.inFile(block),
              files.blocksOfFile(),
              files.bytes(block),
              i % sets.size(),
              i * NANOS_BETWEEN,
              true,
              RemoteLink.LATENCY_NANOS));
    }
    return reads;
  }
}
