package io.quiver.server.blobs;

import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.WholeBody;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The question of a get or a lookup, read from a request. Long questions hold a share of a budget
 * until they are closed.
 *
 * @param ask what is asked
 * @param caller who asks
 * @param body holds the share
 */
record Question(AskFrame ask, RequestNames.Caller caller, WholeBody body) implements AutoCloseable {
  static Question read(Exchange exchange, ByteBudget questions) throws IOException, Refusal {
    RequestNames.Caller caller = RequestNames.Caller.of(exchange);
    WholeBody body = WholeBody.read(exchange.body(), questions);
    try {
      AskFrame ask = AskFrame.parse(ByteBuffer.wrap(body.bytes()));
      if (!ask.claim() || !caller.job().isEmpty()) {
        return new Question(ask, caller, body);
      }
    } catch (FrameException e) {
      body.close();
      throw Refusal.of(
          400,
          String.valueOf(e.getMessage()),
          "send an ask frame as the wire contract lays it out");
    }
    body.close();
    throw Refusal.of(
        400,
        "a claim needs a job to belong to",
        "name the job in the " + Wire.JOB_HEADER + " field");
  }

  @Override
  public void close() {
    body.close();
  }
}
