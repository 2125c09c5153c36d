package io.quiver.core.order;

import java.util.Optional;

/**
 * Draws the batches of one rank for one epoch: every item exactly once over all ranks, in random
 * order. What differs between the kinds is how far they bend the order towards what the cache
 * holds.
 *
 * <p>A draw is out of the sampler's hands until it is settled; several may be out at once. A caller
 * that delivers each draw whole, with what {@link Draw#missing} names, gets whole batches; one that
 * delivers only what it found is given items to fetch afterwards, so that an epoch always ends.
 *
 * <p>Not thread-safe: sampling happens in one place. Memory is two bits for each item and a few
 * words for each chunk.
 */
public sealed interface EpochOrder extends UnreadItems
    permits SubstitutingOrder, PaperOrder, StrictOrder {

  /** The beginning of an epoch. */
  static EpochOrder begin(SamplerKind kind, OrderSetup setup, int epoch) {
    return switch (kind) {
      case SUBSTITUTE -> SubstitutingOrder.begin(setup, epoch);
      case PAPER -> PaperOrder.begin(setup, epoch);
      case STRICT -> StrictOrder.begin(setup, epoch);
    };
  }

  /**
   * The rest of an epoch, divided anew among the ranks.
   *
   * @param state what all ranks together had delivered
   */
  static EpochOrder resume(SamplerKind kind, OrderSetup setup, EpochState state) {
    state.requireFits(setup);
    return switch (kind) {
      case SUBSTITUTE -> SubstitutingOrder.resume(setup, state);
      case PAPER -> PaperOrder.resume(setup, state);
      case STRICT -> StrictOrder.resume(setup, state);
    };
  }

  /**
   * What to read for the next batch; empty while what is left is out, or at the end of the epoch.
   */
  Optional<Draw> draw(Residency residency, RingRole ringRole);

  /**
   * Ends a draw: the items given were delivered to the training loop, all its others go back.
   *
   * @param delivered a part of the draw's items, each at most once, no more than its size
   */
  void settle(Draw draw, int[] delivered);

  /** Where this rank stands, without what is out. */
  EpochState state();

  /** Whether every batch of this rank has been delivered. */
  boolean finished();

  /**
   * The items that will be drawn next, in order, where that is known whatever is resident; none
   * from samplers that substitute.
   *
   * @param count at most so many
   */
  int[] upcoming(int count);

  /** The epoch this is. */
  int epoch();
}
