package io.quiver.client.loader;

import io.quiver.core.engine.ListedOrder;
import io.quiver.core.engine.RankDivision;
import io.quiver.core.engine.SampledOrder;
import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.ListOrder;
import io.quiver.core.order.ListState;
import io.quiver.core.order.OrderSetup;
import java.util.Optional;

/** Makes the sampler of one rank for one epoch, whose items are those of {@link RankDivision}. */
final class RankSampling {
  private final LoaderConfig config;
  private final int rank;
  private final int epoch;
  private int paddingItem = RankDivision.NONE;

  RankSampling(LoaderConfig config, int rank, int epoch) {
    this.config = config;
    this.rank = rank;
    this.epoch = epoch;
  }

  /** Returns what the job had delivered of this epoch before it was resumed. */
  Optional<EpochState> before() {
    return config.resume().filter(state -> state.epoch() == epoch);
  }

  /** Returns the order of the epoch from its beginning, or from where it is taken up again. */
  SampledOrder order(int chunks) {
    return new SampledOrder(begin(chunks), new ChunkLayout(items(), chunks), this::again);
  }

  /** Returns the order of a list from its beginning, or from where it is taken up again. */
  ListedOrder list(ImportanceEpoch list, Optional<ListState> before) {
    OrderSetup setup =
        new OrderSetup(
                items(), 1, config.batch(), config.seed(), rank, config.ranks(), config.dropLast())
            .withEqualSteps(config.equalSteps());
    return new ListedOrder(
        before
            .map(state -> ListOrder.resume(setup, state, 0))
            .orElseGet(() -> ListOrder.begin(setup, epoch, list.list(), 0)));
  }

  EpochOrder begin(int chunks) {
    if (config.ranks() > 1) {
      OrderSetup shared =
          new OrderSetup(
                  items(),
                  1,
                  config.batch(),
                  config.seed(),
                  rank,
                  config.ranks(),
                  config.dropLast())
              .withEqualSteps(config.equalSteps());
      RankDivision own = RankDivision.of(config.sampler(), shared, epoch, before().orElse(null));
      paddingItem = own.paddingItem();
      return again(chunks, own.rest());
    }
    return before()
        .map(state -> again(chunks, state))
        .orElseGet(() -> EpochOrder.begin(config.sampler(), setup(chunks), epoch));
  }

  /** Returns the rest of the epoch with another number of chunks; no draw may be open. */
  EpochOrder again(int chunks, EpochState state) {
    return EpochOrder.resume(config.sampler(), setup(chunks), state);
  }

  private OrderSetup setup(int chunks) {
    return new OrderSetup(items(), chunks, config.batch(), config.seed(), 0, 1, config.dropLast())
        .withHomogeneous(config.homogeneous());
  }

  /**
   * The item this rank repeats although it is another's, to take as many steps as the others;
   * {@link RankDivision#NONE} for none. Known when the epoch has begun.
   */
  int paddingItem() {
    return paddingItem;
  }

  private int items() {
    return config.digest().itemCount();
  }
}
