package io.quiver.client;

import io.quiver.client.transport.Request;
import io.quiver.core.keep.RankingJob;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.Wire;
import java.nio.ByteBuffer;
import java.util.List;

/** Makes requests of frames, with the headers that every request of this client carries. */
final class RequestFactory {
  private final String headers;

  RequestFactory(ClientConfig config) {
    headers =
        "Content-Type: "
            + Wire.FRAME_TYPE
            + "\r\n"
            + Wire.JOB_HEADER
            + ": "
            + config.job()
            + "\r\n"
            + field(Wire.DATASET_HEADER, config.dataset())
            + field(Wire.RANKING_JOB_HEADER, config.rankingJob())
            + config
                .credentials()
                .authorization()
                .map(value -> "Authorization: " + value + "\r\n")
                .orElse("");
  }

  private static String field(String name, String value) {
    return value.isEmpty() ? "" : name + ": " + value + "\r\n";
  }

  /** Returns the fields of one insert or ranking. */
  static String fields(long plan, long position) {
    return field(Wire.PLAN_HEADER, plan > 0 ? Long.toString(plan) : "")
        + field(
            Wire.POSITION_HEADER,
            position == RankingJob.NO_POSITION ? "" : Long.toString(position));
  }

  Request get(AskFrame frame) {
    return ask(Wire.GET_PATH, frame);
  }

  Request lookup(AskFrame frame) {
    return ask(Wire.LOOKUP_PATH, frame);
  }

  private Request ask(String path, AskFrame frame) {
    ByteBuffer body = ByteBuffer.allocate(frame.bytes());
    frame.write(body);
    return new Request("POST", path, headers, body.flip(), List.of());
  }

  Request put(OfferFrame frame, List<ByteBuffer> payloads, String fields) {
    ByteBuffer head = ByteBuffer.allocate(frame.headBytes());
    frame.writeHead(head);
    return new Request("PUT", Wire.BLOBS_PATH, headers + fields, head.flip(), payloads);
  }

  Request rank(RankFrame frame, String fields) {
    ByteBuffer body = ByteBuffer.allocate(frame.bytes());
    frame.write(body);
    return new Request("POST", Wire.RANK_PATH, headers + fields, body.flip(), List.of());
  }
}
