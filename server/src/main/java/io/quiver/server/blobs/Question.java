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
import java.util.function.Predicate;

/**
 * A question for blobs or names, read from a request. Long questions hold a share of a budget until
 * they are closed.
 *
 * @param ask what is asked
 * @param caller who asks
 * @param body holds the share
 */
record Question<F>(F ask, RequestNames.Caller caller, WholeBody body) implements AutoCloseable {
  /** Reads one kind of frame. */
  @FunctionalInterface
  interface Parser<F> {
    F parse(ByteBuffer buffer) throws FrameException;
  }

  /** Reads a question for blobs. */
  static Question<AskFrame> read(Exchange exchange, ByteBudget questions)
      throws IOException, Refusal {
    return read(exchange, questions, AskFrame::parse, AskFrame::claim);
  }

  /**
   * Reads a question.
   *
   * @param claims tells of a question if it claims what is missing
   */
  static <F> Question<F> read(
      Exchange exchange, ByteBudget questions, Parser<F> parser, Predicate<F> claims)
      throws IOException, Refusal {
    RequestNames.Caller caller = RequestNames.Caller.of(exchange);
    WholeBody body = WholeBody.read(exchange.body(), questions);
    boolean kept = false;
    try {
      F ask = parse(body, parser);
      if (claims.test(ask) && caller.job().isEmpty()) {
        throw Refusal.of(
            400,
            "a claim needs a job to belong to",
            "name the job in the " + Wire.JOB_HEADER + " field");
      }
      kept = true;
      return new Question<>(ask, caller, body);
    } finally {
      if (!kept) {
        body.close();
      }
    }
  }

  /** Reads the frame that is a whole body. */
  static <F> F parse(WholeBody body, Parser<F> parser) throws Refusal {
    try {
      return parser.parse(ByteBuffer.wrap(body.bytes()));
    } catch (FrameException e) {
      throw Refusal.of(
          400, String.valueOf(e.getMessage()), "send a frame as the wire contract lays it out");
    }
  }

  @Override
  public void close() {
    body.close();
  }
}
