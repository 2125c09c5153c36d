package io.quiver.core.ledger;

import io.quiver.core.order.ItemList;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes the ledger of one run of one rank. Each batch is handed to the stream as one write; a
 * caller whose batches must survive a crash flushes the stream. A run that goes on after a restart
 * writes a ledger of its own.
 *
 * <p>Not thread-safe.
 */
public final class LedgerWriter implements AutoCloseable {
  private final OutputStream out;
  private final LedgerHeader header;
  private int epoch;
  private int listedEpoch = -1;

  /** Begins a ledger on an empty stream, which is closed with this writer. */
  public LedgerWriter(OutputStream out, LedgerHeader header) throws IOException {
    this.out = out;
    this.header = header;
    out.write(LedgerFormat.encode(header));
  }

  /** Adds the list that the batches of an epoch follow, before the first of them. */
  public void append(LedgerList list) throws IOException {
    if (header.order() != LedgerOrder.LIST) {
      throw new IllegalArgumentException(
          "a list in the ledger of a job whose order is " + header.order().text());
    }
    if (list.epoch() < epoch || list.epoch() <= listedEpoch) {
      throw new IllegalArgumentException("the list of epoch " + list.epoch() + " comes too late");
    }
    out.write(LedgerFormat.encode(list));
    if (list.list().isPresent()) {
      ItemList entries = list.list().get();
      for (int first = 0; first < list.size(); first += LedgerFormat.MAX_BATCH) {
        int count = Math.min(LedgerFormat.MAX_BATCH, list.size() - first);
        out.write(LedgerFormat.encodeEntries(entries, first, count));
      }
    }
    listedEpoch = list.epoch();
  }

  /** Adds a batch that was delivered. Epochs never go back; what makes no sense is refused. */
  public void append(LedgerBatch batch) throws IOException {
    if (header.order() == LedgerOrder.LIST && batch.epoch() != listedEpoch) {
      throw new IllegalArgumentException("a batch of epoch " + batch.epoch() + " before its list");
    }
    if (batch.epoch() < epoch) {
      throw new IllegalArgumentException(
          "epoch " + batch.epoch() + " after epoch " + epoch + "; begin a new ledger");
    }
    if (batch.size() > LedgerFormat.MAX_BATCH) {
      throw new IllegalArgumentException(
          "a batch of " + batch.size() + " items; a ledger takes " + LedgerFormat.MAX_BATCH);
    }
    for (int i = 0; i < batch.size(); i++) {
      if (batch.item(i) < 0 || batch.item(i) >= header.items()) {
        throw new IllegalArgumentException("item " + batch.item(i) + " of " + header.items());
      }
    }
    out.write(LedgerFormat.encode(batch));
    epoch = batch.epoch();
  }

  /** Hands on what the stream buffers. */
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
