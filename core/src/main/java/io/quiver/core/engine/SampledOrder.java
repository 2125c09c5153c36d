package io.quiver.core.engine;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import org.jspecify.annotations.Nullable;

/** Draws an epoch item by item with a sampler. */
public final class SampledOrder implements ReadOrder<Draw> {
  /** Makes the sampler of the rest of an epoch for another number of chunks. */
  @FunctionalInterface
  public interface Resume {
    /** Returns the sampler that goes on from a state. */
    EpochOrder sampler(int chunks, EpochState state);
  }

  private final EpochOrder sampler;
  private final ChunkLayout layout;
  private final Resume resume;

  /** Draws with this sampler, which divides the items by this layout. */
  public SampledOrder(EpochOrder sampler, ChunkLayout layout, Resume resume) {
    this.sampler = sampler;
    this.layout = layout;
    this.resume = resume;
  }

  @Override
  public int[] upcoming(int count) {
    return sampler.upcoming(count);
  }

  @Override
  public @Nullable Draw draw(Residency residency, RingRole ringRole) {
    return sampler.draw(residency, ringRole).orElse(null);
  }

  @Override
  public void settle(Draw draw, int[] read) {
    sampler.settle(draw, read);
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
    return layout.chunks();
  }

  @Override
  public int chunkOf(int item) {
    return layout.chunkOf(item);
  }

  @Override
  public void count(Draw draw, int[] chunkCounts, int sign) {
    count(draw.candidates(), chunkCounts, sign);
    count(draw.fetch(), chunkCounts, sign);
    count(draw.spare(), chunkCounts, sign);
  }

  private void count(int[] items, int[] chunkCounts, int sign) {
    for (int item : items) {
      chunkCounts[layout.chunkOf(item)] += sign;
    }
  }

  @Override
  public SampledOrder divided(int into) {
    ChunkLayout other = new ChunkLayout(layout.items(), into);
    return new SampledOrder(resume.sampler(into, sampler.state()), other, resume);
  }
}
