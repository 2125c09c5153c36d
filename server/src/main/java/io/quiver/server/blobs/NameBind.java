package io.quiver.server.blobs;

import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.http.WholeBody;
import io.quiver.protocol.BindFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code PUT /v1/names}: binds names to blobs in a space. The server believes the door that binds:
 * it has not the block to compare with, and may not own the blob.
 */
public final class NameBind implements RequestHandler {
  private final InsertWorkers inserter;
  private final ByteBudget questions;

  /** Makes a handler; the budget bounds bindings being read. */
  public NameBind(InsertWorkers inserter, ByteBudget questions) {
    this.inserter = inserter;
    this.questions = questions;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    InsertWorkers.Sender sender = inserter.sender(exchange);
    try (WholeBody body = WholeBody.read(exchange.body(), questions)) {
      BindFrame frame = Question.parse(body, BindFrame::parse);
      inserter.awaitPlan(exchange, Set.of(frame.space()));
      ReceiptFrame receipts = new ReceiptFrame(bind(frame, sender), 0);
      AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, receipts.bytes(), Map.of());
      receipts.write(out.reserve(receipts.bytes()));
      out.flush();
    }
  }

  private List<Receipt> bind(BindFrame frame, InsertWorkers.Sender sender) throws IOException {
    return InsertWorkers.await(
        inserter.submit(() ->
            frame.bindings().stream()
                .map(binding -> inserter.bind(binding, frame.space(), sender))
                .toList()));
  }
}
