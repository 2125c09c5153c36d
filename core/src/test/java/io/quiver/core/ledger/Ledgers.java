package io.quiver.core.ledger;

import io.quiver.core.order.SamplerKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ledgers in memory. */
final class Ledgers {
  private Ledgers() {}

  static LedgerHeader header(int items, int rank, int ranks) {
    return new LedgerHeader("resnet-1", "0123abcd", items, 42, SamplerKind.SUBSTITUTE, rank, ranks);
  }

  static LedgerHeader listHeader(int items, int rank, int ranks) {
    return new LedgerHeader("shade-1", "0123abcd", items, 42, LedgerOrder.LIST, rank, ranks);
  }

  static byte[] write(LedgerHeader header, List<LedgerBatch> batches) throws IOException {
    return write(header, List.of(), batches);
  }

  /** Writes each list before the first batch of its epoch. */
  static byte[] write(LedgerHeader header, List<LedgerList> lists, List<LedgerBatch> batches)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (LedgerWriter writer = new LedgerWriter(bytes, header)) {
      int next = 0;
      for (LedgerBatch batch : batches) {
        while (next < lists.size() && lists.get(next).epoch() <= batch.epoch()) {
          writer.append(lists.get(next++));
        }
        writer.append(batch);
      }
      while (next < lists.size()) {
        writer.append(lists.get(next++));
      }
    }
    return bytes.toByteArray();
  }

  static LedgerReader open(byte[] bytes) throws IOException {
    return new LedgerReader(new ByteArrayInputStream(bytes));
  }

  static List<LedgerBatch> rest(LedgerReader reader) throws IOException {
    List<LedgerBatch> batches = new ArrayList<>();
    Optional<LedgerBatch> batch = reader.next();
    while (batch.isPresent()) {
      batches.add(batch.get());
      batch = reader.next();
    }
    return batches;
  }

  static LedgerBatch batch(int epoch, long step, int... items) {
    return new LedgerBatch(epoch, step, items, 0);
  }
}
