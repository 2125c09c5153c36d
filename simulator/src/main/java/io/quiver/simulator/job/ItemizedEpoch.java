package io.quiver.simulator.job;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import org.jspecify.annotations.Nullable;

/** An epoch item by item, drawn by the real sampler. */
final class ItemizedEpoch implements SimulatedEpoch {
  private final SamplerKind kind;
  private final OrderSetup setup;
  private final EpochOrder sampler;
  private final ChunkLayout layout;

  private ItemizedEpoch(SamplerKind kind, OrderSetup setup, EpochOrder sampler) {
    this.kind = kind;
    this.setup = setup;
    this.sampler = sampler;
    this.layout = setup.layout();
  }

  /** The beginning of an epoch. */
  static ItemizedEpoch begin(SamplerKind kind, OrderSetup setup, int epoch) {
    return new ItemizedEpoch(kind, setup, EpochOrder.begin(kind, setup, epoch));
  }

  /** A draw of the sampler. */
  private record Drawn(Draw draw, ChunkLayout layout) implements Wish {
    @Override
    public int[] candidates() {
      return draw.candidates();
    }

    @Override
    public int want() {
      return draw.want();
    }

    @Override
    public int size() {
      return draw.size();
    }

    @Override
    public int[] missing(int[] found) {
      return draw.missing(found);
    }

    @Override
    public void count(int[] chunkCounts, int sign) {
      count(draw.candidates(), chunkCounts, sign);
      count(draw.fetch(), chunkCounts, sign);
      count(draw.spare(), chunkCounts, sign);
    }

    private void count(int[] items, int[] chunkCounts, int sign) {
      for (int item : items) {
        chunkCounts[layout.chunkOf(item)] += sign;
      }
    }
  }

  @Override
  public @Nullable Wish draw(Residency residency, RingRole ringRole) {
    return sampler.draw(residency, ringRole).map(draw -> new Drawn(draw, layout)).orElse(null);
  }

  @Override
  public void settle(Wish wish, int[] read) {
    sampler.settle(((Drawn) wish).draw(), read);
  }

  @Override
  public boolean finished() {
    return sampler.finished();
  }

  @Override
  public int available() {
    return sampler.available();
  }

  @Override
  public int available(int chunk) {
    return sampler.available(chunk);
  }

  @Override
  public int chunks() {
    return setup.chunks();
  }

  @Override
  public int chunkOf(int item) {
    return layout.chunkOf(item);
  }

  @Override
  public SimulatedEpoch divided(int into) {
    OrderSetup other = OrderSetup.single(setup.items(), into, setup.batch(), setup.seed());
    return new ItemizedEpoch(kind, other, EpochOrder.resume(kind, other, sampler.state()));
  }
}
