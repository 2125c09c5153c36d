package io.quiver.node.job;

import io.quiver.core.ledger.LedgerBatch;
import io.quiver.core.ledger.LedgerFormatException;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerOrder;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.order.EpochState;
import io.quiver.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The point at which a job's ledgers stopped. The ledgers are all it needs: what they have was
 * delivered, and whatever happened to the rest, it was not.
 *
 * @param header what the ledgers are about
 * @param state how far the last epoch they speak of had come
 */
record ResumePoint(LedgerHeader header, EpochState state) {
  /** Reads all ledgers of a job; empty when there are none. */
  static Optional<ResumePoint> of(List<Path> ledgers) throws IOException, NodeException {
    LedgerHeader first = null;
    LastEpoch last = new LastEpoch();
    for (Path file : ledgers) {
      if (Files.size(file) == 0) {
        continue; // Its run ended before it could say what it is about.
      }
      LedgerHeader header = read(file, last);
      if (first != null && !header.sameJob(first)) {
        throw new NodeException(
            file + " is the ledger of another job than those beside it; move it away");
      }
      first = header;
    }
    return Optional.ofNullable(first).map(header -> new ResumePoint(header, last.state(header)));
  }

  private static LedgerHeader read(Path file, LastEpoch last) throws IOException, NodeException {
    try (LedgerReader reader = JobLedger.open(file)) {
      if (reader.header().order() == LedgerOrder.LIST) {
        throw new NodeException(
            file + " is the ledger of a job that reads lists; name another --ledger");
      }
      Optional<LedgerBatch> batch = reader.next();
      while (batch.isPresent()) {
        last.add(batch.get());
        batch = reader.next();
      }
      return reader.header();
    } catch (LedgerFormatException e) {
      throw new NodeException(
          file + ", " + e.getMessage() + "; begin anew with another --ledger", e);
    }
  }

  /** Returns the state to go on from: that of the next epoch when this one is whole. */
  EpochState next(int mayLack) {
    int left = header.items() - state.deliveredItems();
    return left > mayLack
        ? state
        : new EpochState(
            state.seed(), state.epoch() + 1, state.items(), new long[(state.items() + 63) >> 6]);
  }

  /** The items delivered in the latest epoch read so far. */
  private static final class LastEpoch {
    private int epoch;
    private BitSet delivered = new BitSet();

    void add(LedgerBatch batch) {
      if (batch.epoch() < epoch) {
        return;
      }
      if (batch.epoch() > epoch) {
        epoch = batch.epoch();
        delivered = new BitSet();
      }
      for (int place = 0; place < batch.size() - batch.padding(); place++) {
        delivered.set(batch.item(place));
      }
    }

    EpochState state(LedgerHeader header) {
      long[] words = java.util.Arrays.copyOf(delivered.toLongArray(), (header.items() + 63) >> 6);
      return new EpochState(header.seed(), epoch, header.items(), words);
    }
  }
}
