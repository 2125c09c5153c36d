package io.quiver.server.blobs;

import io.quiver.core.space.SpaceId;
import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import io.quiver.http.RequestHandler;
import io.quiver.http.WholeBody;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.keep.SpaceKeepers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code PUT /v1/blobs}: many blobs in one request, received in groups of about a megabyte so that
 * one group is hashed and written while the next comes in. Blobs stored before a batch breaks off
 * stay stored; inserting them again is harmless.
 */
public final class BatchPut implements RequestHandler {
  private final InsertWorkers inserter;
  private final SpaceKeepers keepers;
  private final ByteBudget heads;
  private final ByteBudget budget;
  private final DirectBuffers pool;
  private final long maxBlobBytes;
  private final long maxHeldBytes;

  /**
   * Makes a handler.
   *
   * @param heads bounds the bytes of heads being read
   * @param budget bounds the bytes of blobs being received
   * @param pool buffers of the length of one group
   * @param maxBlobBytes longest blob taken
   * @param maxHeldBytes most bytes one request holds
   */
  public BatchPut(
      InsertWorkers inserter,
      SpaceKeepers keepers,
      ByteBudget heads,
      ByteBudget budget,
      DirectBuffers pool,
      long maxBlobBytes,
      long maxHeldBytes) {
    this.inserter = inserter;
    this.keepers = keepers;
    this.heads = heads;
    this.budget = budget;
    this.pool = pool;
    this.maxBlobBytes = maxBlobBytes;
    this.maxHeldBytes = maxHeldBytes;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    InsertWorkers.Sender sender = inserter.sender(exchange);
    RequestBody body = exchange.body();
    Set<SpaceId> spaces;
    List<Receipt> receipts;
    try (WholeBody head = WholeBody.begin(body, heads)) {
      List<Offer> offers = offers(head, body.length());
      spaces = offers.stream().map(Offer::space).collect(Collectors.toSet());
      inserter.awaitPlan(exchange, spaces);
      keepers.hear(sender.job(), spaces);
      receipts = receive(body, offers, sender);
    }
    if (body.read(new byte[1], 0, 1) >= 0) {
      throw malformed("offer with bytes that belong to no blob").closing();
    }
    answer(exchange, new ReceiptFrame(receipts, keepers.lowest(sender.job(), spaces)));
  }

  private List<Receipt> receive(RequestBody body, List<Offer> offers, InsertWorkers.Sender sender)
      throws IOException, Refusal {
    try (InsertFlight flight =
        new InsertFlight(offers, inserter, sender, budget, pool, maxHeldBytes)) {
      receive(body, offers, flight);
      return flight.land();
    }
  }

  private void receive(RequestBody body, List<Offer> offers, InsertFlight flight)
      throws IOException, Refusal {
    int next = 0;
    while (next < offers.size()) {
      if (offers.get(next).length() > maxBlobBytes) {
        flight.refuse(body, next++);
        continue;
      }
      long bytes = offers.get(next).length();
      int end = next + 1;
      while (end < offers.size() && bytes + offers.get(end).length() <= pool.bufferBytes()) {
        bytes += offers.get(end++).length();
      }
      flight.launch(body, next, end, (int) bytes);
      next = end;
    }
  }

  /** Reads the offers; the head's share of the budget stands for them until they are inserted. */
  private static List<Offer> offers(WholeBody head, long bodyBytes) throws IOException, Refusal {
    try {
      head.readTo(OfferFrame.HEADER_BYTES);
      head.readTo(OfferFrame.headBytes(ByteBuffer.wrap(head.bytes())));
      ByteBuffer frame = ByteBuffer.wrap(head.bytes());
      OfferFrame offer =
          bodyBytes < 0 ? OfferFrame.parse(frame) : OfferFrame.parse(frame, bodyBytes);
      return offer.blobs();
    } catch (FrameException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private static Refusal malformed(String error) {
    return Refusal.of(400, error, "send an offer frame as the wire contract lays it out");
  }

  private static void answer(Exchange exchange, ReceiptFrame frame) throws IOException {
    AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, frame.bytes(), Map.of());
    frame.write(out.reserve(frame.bytes()));
    out.flush();
  }
}
