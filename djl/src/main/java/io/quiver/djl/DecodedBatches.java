package io.quiver.djl;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.LoadedEpoch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The batches of an epoch, decoded, in the order the loader gave them. */
interface DecodedBatches extends AutoCloseable {
  /** Waits for the next one; empty at the end. */
  Optional<Decoded> next();

  /** Ends what is under way. */
  @Override
  void close();

  /**
   * A batch ready for the training loop.
   *
   * @param batch what DJL gets
   * @param items those of its items that count as delivered: all but padding
   * @param weights the weight of each of its samples in the loss
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Decoded(ai.djl.training.dataset.Batch batch, List<Integer> items, double[] weights) {}

  /** Decodes each batch when it is asked for, in the thread of the training loop. */
  final class DecodeInTurn implements DecodedBatches {
    private final LoadedEpoch epoch;
    private final BatchMaker maker;
    private long done;

    DecodeInTurn(LoadedEpoch epoch, BatchMaker maker) {
      this.epoch = epoch;
      this.maker = maker;
    }

    @Override
    public Optional<Decoded> next() {
      return epoch.next().map(this::decode);
    }

    private Decoded decode(Batch loaded) {
      done += loaded.size();
      long begin = System.nanoTime();
      try {
        return maker.make(loaded, done);
      } finally {
        epoch.transformed(Duration.ofNanos(System.nanoTime() - begin));
      }
    }

    @Override
    public void close() {}
  }
}
