package io.quiver.core.engine;

import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Divides the items of an epoch among ranks, before they are divided into chunks: so all ranks
 * agree on who reads what even while they follow different plans, and the number of chunks may
 * change in the middle of an epoch.
 */
public final class RankDivision {
  /** No item. */
  public static final int NONE = -1;

  private final EpochState rest;
  private final int paddingItem;

  private RankDivision(EpochState rest, int paddingItem) {
    this.rest = rest;
    this.paddingItem = paddingItem;
  }

  /**
   * Finds the items of one rank.
   *
   * @param setup names the rank and how the ranks are kept in step
   * @param before what all ranks had delivered when the epoch is resumed; null from its beginning
   */
  public static RankDivision of(
      SamplerKind sampler, OrderSetup setup, int epoch, @Nullable EpochState before) {
    SamplerKind kind = sampler == SamplerKind.STRICT ? SamplerKind.STRICT : SamplerKind.SUBSTITUTE;
    EpochOrder division =
        before == null
            ? EpochOrder.begin(kind, setup, epoch)
            : EpochOrder.resume(kind, setup, before);
    long[] others = allBits(setup.items());
    int padding = NONE;
    Optional<Draw> draw = division.draw(Residency.NONE, RingRole.LEADER);
    while (draw.isPresent()) {
      for (int item : draw.get().fetch()) {
        others[item >> 6] &= ~(1L << item);
      }
      for (int item : draw.get().padding()) {
        padding = item;
      }
      division.settle(draw.get(), draw.get().fetch());
      draw = division.draw(Residency.NONE, RingRole.LEADER);
    }
    return new RankDivision(new EpochState(setup.seed(), epoch, setup.items(), others), padding);
  }

  /** Returns the epoch as if all items but this rank's were delivered. */
  public EpochState rest() {
    return rest;
  }

  /**
   * Returns the item this rank repeats although it is another's, to take as many steps as the
   * others; {@link #NONE} for none.
   */
  public int paddingItem() {
    return paddingItem;
  }

  private static long[] allBits(int items) {
    long[] words = new long[(items + 63) >> 6];
    for (int item = 0; item < items; item++) {
      words[item >> 6] |= 1L << item;
    }
    return words;
  }
}
