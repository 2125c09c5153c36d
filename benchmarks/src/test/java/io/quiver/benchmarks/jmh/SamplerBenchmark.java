package io.quiver.benchmarks.jmh;

import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the items per second that one processor orders: whole epochs of a data set of a million
 * and a quarter images, drawn and delivered in batches of 256, a third of the chunks being cached.
 * The beginning of each epoch counts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class SamplerBenchmark {
  private static final int BATCH = 256;
  private static final int ITEMS = 5_000 * BATCH;
  private static final int CHUNKS = 96;
  private static final Residency RESIDENCY =
      new Residency(IntStream.range(0, 32).boxed().toList(), List.of(40, 41), List.of(42));

  /** A kind of sampler, or the default one with batches of items that are alike. */
  @Param({"substitute", "homogeneous", "paper", "strict"})
  private String order = "";

  private SamplerKind kind = SamplerKind.SUBSTITUTE;
  private OrderSetup setup = OrderSetup.single(ITEMS, CHUNKS, BATCH, 1);
  private EpochOrder sampler = EpochOrder.begin(kind, setup, 0);

  @Setup
  public void begin() {
    boolean homogeneous = order.equals("homogeneous");
    kind = homogeneous ? SamplerKind.SUBSTITUTE : SamplerKind.parse(order);
    setup = setup.withHomogeneous(homogeneous);
    sampler = EpochOrder.begin(kind, setup, 0);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int batch() {
    if (sampler.finished()) {
      sampler = EpochOrder.begin(kind, setup, sampler.epoch() + 1);
    }
    Draw draw = sampler.draw(RESIDENCY, RingRole.LEADER).orElseThrow();
    int[] delivered = Arrays.copyOf(draw.candidates(), draw.size());
    System.arraycopy(draw.fetch(), 0, delivered, draw.want(), draw.fetch().length);
    sampler.settle(draw, delivered);
    if (delivered.length != BATCH) {
      throw new IllegalStateException("a batch of " + delivered.length);
    }
    return delivered[0];
  }
}
