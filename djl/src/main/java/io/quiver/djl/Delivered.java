package io.quiver.djl;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.order.EpochState;
import java.util.List;

/**
 * Records the items that the training loop was given in an epoch. The loader counts what is decoded
 * ahead as delivered; a state to go on from must not.
 */
final class Delivered {
  private final LoaderConfig config;
  private final int epoch;
  private final long[] bits;

  Delivered(LoaderConfig config, int epoch) {
    this.config = config;
    this.epoch = epoch;
    this.bits =
        config
            .resume()
            .filter(state -> state.epoch() == epoch)
            .map(EpochState::delivered)
            .orElseGet(() -> new long[(config.digest().itemCount() + 63) >> 6]);
  }

  synchronized void add(List<Integer> items) {
    for (int item : items) {
      bits[item >> 6] |= 1L << item;
    }
  }

  synchronized EpochState state() {
    return new EpochState(config.seed(), epoch, config.digest().itemCount(), bits);
  }
}
