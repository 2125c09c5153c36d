package io.quiver.core.order;

/**
 * Draws every item exactly once per epoch over all ranks, in random order. The kinds differ in how
 * far they bend the order towards what is cached. Memory is two bits for each item and a few words
 * for each chunk.
 */
public sealed interface EpochOrder extends BatchOrder permits ChunkedOrder, StrictOrder {

  /** Begins an epoch. */
  static EpochOrder begin(SamplerKind kind, OrderSetup setup, int epoch) {
    return switch (kind) {
      case SUBSTITUTE -> SubstitutingOrder.begin(setup, epoch);
      case PAPER -> PaperOrder.begin(setup, epoch);
      case STRICT -> StrictOrder.begin(setup, epoch);
    };
  }

  /**
   * Resumes an epoch: its rest is divided anew among the ranks.
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

  @Override
  EpochState state();
}
