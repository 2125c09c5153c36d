package io.quiver.core.order;

import org.jspecify.annotations.Nullable;

/** Draws an epoch chunk by chunk from a {@link RankShare}: all but the choice of items. */
abstract sealed class ChunkedOrder implements EpochOrder permits SubstitutingOrder, PaperOrder {
  final RankShare share;
  final SeededRandom random;

  /** Takes the items of homogeneous batches; null for mixed ones. */
  final @Nullable HomogeneousItems alike;

  ChunkedOrder(OrderSetup setup, RankShare share) {
    this.share = share;
    this.random = new SeededRandom(SeededRandom.derive(share.seed(), -1 - setup.rank()));
    this.alike = setup.homogeneous() ? new HomogeneousItems(share, setup.layout(), random) : null;
  }

  @Override
  public final EpochState state() {
    return share.state();
  }

  @Override
  public final boolean finished() {
    return share.finished();
  }

  @Override
  public final int available() {
    return Math.min(share.available(), share.steps().unpromised());
  }

  @Override
  public final int available(int chunk) {
    return share.available(chunk);
  }

  @Override
  public final int[] upcoming(int count) {
    return new int[0];
  }

  @Override
  public final int epoch() {
    return share.epoch();
  }
}
