package io.quiver.core.engine;

import io.quiver.core.order.Draw;
import io.quiver.core.order.ListOrder;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import org.jspecify.annotations.Nullable;

/** Draws an epoch from a known list, which is not divided into chunks. */
public final class ListedOrder implements ReadOrder<Draw> {
  private final ListOrder order;

  /** Draws in the order of a list. */
  public ListedOrder(ListOrder order) {
    this.order = order;
  }

  /** Returns the places of the list that a draw takes; it must be out. */
  public int[] places(Draw draw) {
    return order.places(draw);
  }

  @Override
  public int[] upcoming(int count) {
    return order.upcoming(count);
  }

  @Override
  public @Nullable Draw draw(Residency residency, RingRole ringRole) {
    return order.draw(residency, ringRole).orElse(null);
  }

  @Override
  public void settle(Draw draw, int[] read) {
    order.settle(draw, read);
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
    return order.available();
  }

  @Override
  public int chunks() {
    return 1;
  }

  @Override
  public int chunkOf(int item) {
    return 0;
  }

  @Override
  public void count(Draw draw, int[] chunkCounts, int sign) {
    chunkCounts[0] += sign * draw.size();
  }

  @Override
  public ListedOrder divided(int into) {
    return this;
  }
}
