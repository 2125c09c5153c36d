package io.quiver.benchmarks.jmh;

import io.quiver.core.importance.ItemScores;
import io.quiver.core.keep.Ranked;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the losses per second that become scores, and the decisions per second of a full ranked
 * space: which of a million blobs goes for a newcomer, if any does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ImportanceBenchmark {
  private static final int ITEMS = 1 << 20;
  private static final int BATCH = 256;

  private final Random random = new Random(1);
  private final ItemScores scores = new ItemScores(ITEMS);
  private final int[] batch = new int[BATCH];
  private final double[] losses = new double[BATCH];
  private final Ranked keeper = new Ranked(ITEMS);
  private long next;

  @Setup
  public void fill() {
    while (next < ITEMS) {
      decide();
    }
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int report() {
    for (int i = 0; i < BATCH; i++) {
      batch[i] = random.nextInt(ITEMS);
      losses[i] = random.nextDouble();
    }
    scores.report(batch, losses);
    return scores.known();
  }

  @Benchmark
  public boolean decide() {
    return keeper.offer(next++, 1, random.nextInt(), victim -> {});
  }
}
