package io.quiver.client.loader;

import io.quiver.core.engine.SampledOrder;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import java.util.Optional;

/**
 * Makes the sampler of one rank for one epoch. The items are divided among the ranks before they
 * are divided into chunks: so all ranks agree on who reads what even while they follow different
 * plans, and the number of chunks may change in the middle of an epoch.
 */
final class RankSampling {
  /** No item. */
  static final int NONE = -1;

  private final LoaderConfig config;
  private final int rank;
  private final int epoch;
  private int paddingItem = NONE;

  RankSampling(LoaderConfig config, int rank, int epoch) {
    this.config = config;
    this.rank = rank;
    this.epoch = epoch;
  }

  /** What the job had delivered of this epoch before it was resumed. */
  Optional<EpochState> before() {
    return config.resume().filter(state -> state.epoch() == epoch);
  }

  /** Returns the order of the epoch from its beginning, or from where it is taken up again. */
  SampledOrder order(int chunks) {
    return new SampledOrder(begin(chunks), new ChunkLayout(items(), chunks), this::again);
  }

  EpochOrder begin(int chunks) {
    if (config.ranks() > 1) {
      return again(chunks, new EpochState(config.seed(), epoch, items(), notOwn()));
    }
    return before()
        .map(state -> again(chunks, state))
        .orElseGet(() -> EpochOrder.begin(config.sampler(), setup(chunks), epoch));
  }

  /** The same rest with another number of chunks; nothing of it may be out. */
  EpochOrder again(int chunks, EpochState state) {
    return EpochOrder.resume(config.sampler(), setup(chunks), state);
  }

  private OrderSetup setup(int chunks) {
    return new OrderSetup(items(), chunks, config.batch(), config.seed(), 0, 1, config.dropLast())
        .withHomogeneous(config.homogeneous());
  }

  /**
   * The item this rank repeats although it is another's, to take as many steps as the others;
   * {@link #NONE} for none. Known when the epoch has begun.
   */
  int paddingItem() {
    return paddingItem;
  }

  private int items() {
    return config.digest().itemCount();
  }

  /** A bit for each item that this rank has not to deliver. */
  private long[] notOwn() {
    SamplerKind kind =
        config.sampler() == SamplerKind.STRICT ? SamplerKind.STRICT : SamplerKind.SUBSTITUTE;
    OrderSetup shared =
        new OrderSetup(
                items(), 1, config.batch(), config.seed(), rank, config.ranks(), config.dropLast())
            .withEqualSteps(config.equalSteps());
    EpochOrder division =
        before()
            .map(state -> EpochOrder.resume(kind, shared, state))
            .orElseGet(() -> EpochOrder.begin(kind, shared, epoch));
    long[] words = allBits();
    Optional<Draw> draw = division.draw(Residency.NONE, RingRole.LEADER);
    while (draw.isPresent()) {
      for (int item : draw.get().fetch()) {
        words[item >> 6] &= ~(1L << item);
      }
      for (int item : draw.get().padding()) {
        paddingItem = item;
      }
      division.settle(draw.get(), draw.get().fetch());
      draw = division.draw(Residency.NONE, RingRole.LEADER);
    }
    return words;
  }

  private long[] allBits() {
    long[] words = new long[(items() + 63) >> 6];
    for (int item = 0; item < items(); item++) {
      words[item >> 6] |= 1L << item;
    }
    return words;
  }
}
