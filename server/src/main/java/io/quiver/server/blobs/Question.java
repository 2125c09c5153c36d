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
 * The question of a get or a lookup, read from a request.
 *
 * @param ask what is asked
 * @param caller who asks
 */
record Question(AskFrame ask, Caller caller) {
  static Question read(Exchange exchange, ByteBudget bodies) throws IOException, Refusal {
    AskFrame ask;
    try (WholeBody body = WholeBody.read(exchange.body(), bodies)) {
      ask = AskFrame.parse(ByteBuffer.wrap(body.bytes()));
    } catch (FrameException e) {
      throw Refusal.of(
          400,
          String.valueOf(e.getMessage()),
          "send an ask frame as the wire contract lays it out");
    }
    Caller caller = Caller.of(exchange);
    if (ask.claim() && caller.job().isEmpty()) {
      throw Refusal.of(
          400,
          "a claim needs a job to belong to",
          "name the job in the " + Wire.JOB_HEADER + " field");
    }
    return new Question(ask, caller);
  }
}
