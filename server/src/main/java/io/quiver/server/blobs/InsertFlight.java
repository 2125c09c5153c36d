package io.quiver.server.blobs;

import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one batch insert that are being stored while the next is received. Bounded in
 * number and, together, by the bytes one connection may hold.
 */
final class InsertFlight implements AutoCloseable {
  private final List<Offer> offers;
  private final InsertWorkers inserter;
  private final InsertWorkers.Sender sender;
  private final ByteBudget budget;
  private final DirectBuffers pool;
  private final long maxBytes;
  private final @Nullable Receipt[] receipts;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final byte[] scratch = new byte[16 << 10];
  private long pendingBytes;

  private record Pending(Future<?> future, long bytes) {}

  InsertFlight(
      List<Offer> offers,
      InsertWorkers inserter,
      InsertWorkers.Sender sender,
      ByteBudget budget,
      DirectBuffers pool,
      long maxBytes) {
    this.offers = offers;
    this.inserter = inserter;
    this.sender = sender;
    this.budget = budget;
    this.pool = pool;
    this.maxBytes = maxBytes;
    this.receipts = new @Nullable Receipt[offers.size()];
  }

  /** Receives the payloads of a group of offers and has them stored. */
  void launch(RequestBody body, int first, int end, int bytes) throws IOException, Refusal {
    while (pending.size() > inserter.threads()
        || (!pending.isEmpty() && pendingBytes + bytes > maxBytes)) {
      landOldest();
    }
    ReceiveBuffer buffer = ReceiveBuffer.receive(body, bytes, budget, pool, scratch);
    boolean launched = false;
    try {
      submit(first, end, buffer);
      launched = true;
    } finally {
      if (!launched) {
        buffer.close();
      }
    }
    pendingBytes += bytes;
  }

  private void submit(int first, int end, ReceiveBuffer buffer) {
    Future<?> future =
        inserter.submit(() -> {
          try (buffer) {
            store(first, end, buffer.bytes());
          }
          return null;
        });
    pending.add(new Pending(future, buffer.bytes().capacity()));
  }

  private void store(int first, int end, ByteBuffer bytes) {
    int at = 0;
    for (int i = first; i < end; i++) {
      Offer offer = offers.get(i);
      int length = (int) offer.length();
      ByteBuffer content = bytes.slice(at, length);
      receipts[i] = inserter.insert(offer, content, sender);
      at += length;
    }
  }

  /** Receives a payload that is too large, and forgets it. */
  void refuse(RequestBody body, int index) throws IOException, Refusal {
    Offer offer = offers.get(index);
    long rest = offer.length();
    while (rest > 0) {
      int step = (int) Math.min(rest, scratch.length);
      body.readFully(scratch, 0, step);
      rest -= step;
    }
    receipts[index] = inserter.refuse(offer, sender);
  }

  /** Waits until everything is stored. */
  List<Receipt> land() throws IOException {
    while (!pending.isEmpty()) {
      landOldest();
    }
    return Arrays.stream(receipts).map(InsertFlight::known).toList();
  }

  private static Receipt known(@Nullable Receipt receipt) {
    return receipt == null ? Receipt.DISK_FAILURE : receipt;
  }

  private void landOldest() throws IOException {
    Pending oldest = pending.remove();
    pendingBytes -= oldest.bytes;
    InsertWorkers.await(oldest.future);
  }

  /** Leaves launched inserts to finish by themselves and release their bytes. */
  @Override
  public void close() {
    pending.clear();
  }
}
