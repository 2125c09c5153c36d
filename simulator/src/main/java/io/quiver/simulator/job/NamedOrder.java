package io.quiver.simulator.job;

import io.quiver.core.sampling.ChunkLayout;
import io.quiver.core.sampling.Draw;
import io.quiver.core.sampling.EpochSampler;
import io.quiver.core.sampling.Pace;
import io.quiver.core.sampling.Residency;
import io.quiver.core.sampling.SamplerKind;
import io.quiver.core.sampling.SamplerSetup;
import org.jspecify.annotations.Nullable;

/** An epoch item by item, drawn by the real sampler. */
final class NamedOrder implements EpochOrder {
  private final SamplerKind kind;
  private final SamplerSetup setup;
  private final EpochSampler sampler;
  private final ChunkLayout layout;

  private NamedOrder(SamplerKind kind, SamplerSetup setup, EpochSampler sampler) {
    this.kind = kind;
    this.setup = setup;
    this.sampler = sampler;
    this.layout = setup.layout();
  }

  /** The beginning of an epoch. */
  static NamedOrder begin(SamplerKind kind, SamplerSetup setup, int epoch) {
    return new NamedOrder(kind, setup, EpochSampler.begin(kind, setup, epoch));
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
  public @Nullable Wish draw(Residency residency, Pace pace) {
    return sampler.draw(residency, pace).map(draw -> new Drawn(draw, layout)).orElse(null);
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
  public EpochOrder divided(int into) {
    SamplerSetup other = SamplerSetup.single(setup.items(), into, setup.batch(), setup.seed());
    return new NamedOrder(kind, other, EpochSampler.resume(kind, other, sampler.state()));
  }
}
