package io.quiver.simulator.job;

import io.quiver.core.engine.RankDivision;
import io.quiver.core.engine.ReadOrder;
import io.quiver.core.engine.SampledOrder;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import io.quiver.simulator.job.SimulatedBatch.Request;
import org.jspecify.annotations.Nullable;

/** Puts an epoch in order item by item, as a loader does. */
final class ItemizedEpoch implements ReadOrder<Request> {
  private final SampledOrder order;

  private ItemizedEpoch(SampledOrder order) {
    this.order = order;
  }

  /** Begins an epoch of one rank. */
  static ItemizedEpoch begin(SamplerKind kind, OrderSetup setup, int epoch) {
    SampledOrder.Resume resume =
        (chunks, state) ->
            EpochOrder.resume(
                kind, OrderSetup.single(setup.items(), chunks, setup.batch(), setup.seed()), state);
    EpochOrder order =
        setup.ranks() == 1
            ? EpochOrder.begin(kind, setup, epoch)
            : resume.sampler(setup.chunks(), RankDivision.of(kind, setup, epoch, null).rest());
    return new ItemizedEpoch(new SampledOrder(order, setup.layout(), resume));
  }

  /** Asks for what the order drew. */
  private record Drawn(Draw draw) implements Request {
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
  }

  @Override
  public @Nullable Request draw(Residency residency, RingRole ringRole) {
    Draw draw = order.draw(residency, ringRole);
    return draw == null ? null : new Drawn(draw);
  }

  @Override
  public int[] upcoming(int count) {
    return order.upcoming(count);
  }

  @Override
  public void settle(Request request, int[] read) {
    order.settle(((Drawn) request).draw(), read);
  }

  @Override
  public void count(Request request, int[] chunkCounts, int sign) {
    order.count(((Drawn) request).draw(), chunkCounts, sign);
  }

  @Override
  public boolean finished() {
    return order.finished();
  }

  @Override
  public int available() {
    return order.available();
  }

  @Override
  public int available(int chunk) {
    return order.available(chunk);
  }

  @Override
  public int chunks() {
    return order.chunks();
  }

  @Override
  public int chunkOf(int item) {
    return order.chunkOf(item);
  }

  @Override
  public ItemizedEpoch divided(int into) {
    return new ItemizedEpoch(order.divided(into));
  }
}
