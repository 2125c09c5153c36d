package io.quiver.server.blobs;

import io.quiver.protocol.AskFrame;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.Wire;
import io.quiver.server.http.Body;
import io.quiver.server.http.Exchange;
import io.quiver.server.http.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The question of a get or a lookup, read from a request.
 *
 * @param ask what is asked
 * @param job who asks; empty if the request does not say
 */
record Question(AskFrame ask, String job) {
  static Question read(Exchange exchange) throws IOException, Refusal {
    AskFrame ask;
    try {
      ask = AskFrame.parse(body(exchange.body()));
    } catch (FrameException e) {
      throw Refusal.of(
          400,
          String.valueOf(e.getMessage()),
          "send an ask frame as the wire contract lays it out");
    }
    String job = job(exchange);
    if (ask.claim() && job.isEmpty()) {
      throw Refusal.of(
          400,
          "a claim needs a job to belong to",
          "name the job in the " + Wire.JOB_HEADER + " field");
    }
    return new Question(ask, job);
  }

  private static String job(Exchange exchange) throws Refusal {
    String job = exchange.field(Wire.JOB_HEADER);
    if (job == null) {
      return "";
    }
    if (job.length() > Wire.MAX_JOB_LENGTH || !job.chars().allMatch(c -> c > 31 && c < 127)) {
      throw Refusal.of(
          400,
          "not a job name: " + job.length() + " characters",
          "use 1 to " + Wire.MAX_JOB_LENGTH + " printable ASCII characters");
    }
    return job;
  }

  private static ByteBuffer body(Body body) throws IOException, Refusal {
    if (body.length() > AskFrame.MAX_BYTES) {
      throw tooLong();
    }
    if (body.length() >= 0) {
      byte[] frame = new byte[(int) body.length()];
      body.readFully(frame, 0, frame.length);
      return ByteBuffer.wrap(frame);
    }
    return chunked(body);
  }

  private static ByteBuffer chunked(Body body) throws IOException, Refusal {
    byte[] frame = new byte[4 << 10];
    int length = 0;
    while (true) {
      int step = body.read(frame, length, frame.length - length);
      if (step < 0) {
        return ByteBuffer.wrap(frame, 0, length);
      }
      length += step;
      if (length > AskFrame.MAX_BYTES) {
        throw tooLong();
      }
      if (length == frame.length) {
        frame = Arrays.copyOf(frame, 2 * length);
      }
    }
  }

  private static Refusal tooLong() {
    return Refusal.of(
            413,
            "a question is at most " + AskFrame.MAX_BYTES + " bytes long",
            "ask for at most " + Wire.MAX_BATCH + " blobs at once")
        .closing();
  }
}
