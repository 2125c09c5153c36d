package io.quiver.djl;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.djl.DecodedBatches.Decoded;
import java.time.Duration;
import java.util.Optional;

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
