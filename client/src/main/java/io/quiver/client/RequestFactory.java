package io.quiver.client;

import io.quiver.client.transport.Request;
import io.quiver.core.keep.RankingJob;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.BindFrame;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.Wire;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

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

  /** Returns the fields of one insert, binding or ranking. */
  static String fields(long plan, long position) {
    return field(Wire.PLAN_HEADER, plan > 0 ? Long.toString(plan) : "")
        + field(
            Wire.POSITION_HEADER,
            position == RankingJob.NO_POSITION ? "" : Long.toString(position));
  }

  Request get(GetFrame frame) {
    return request("POST", Wire.GET_PATH, "", frame.bytes(), frame::write);
  }

  Request lookup(AskFrame frame) {
    return request("POST", Wire.LOOKUP_PATH, "", frame.bytes(), frame::write);
  }

  Request resolve(ResolveFrame frame) {
    return request("POST", Wire.RESOLVE_PATH, "", frame.bytes(), frame::write);
  }

  Request bind(BindFrame frame, String fields) {
    return request("PUT", Wire.NAMES_PATH, fields, frame.bytes(), frame::write);
  }

  private Request request(
      String method, String path, String fields, int bytes, Consumer<ByteBuffer> write) {
    ByteBuffer body = ByteBuffer.allocate(bytes);
    write.accept(body);
    return new Request(method, path, headers + fields, body.flip(), List.of());
  }

  Request put(OfferFrame frame, List<ByteBuffer> payloads, String fields) {
    ByteBuffer head = ByteBuffer.allocate(frame.headBytes());
    frame.writeHead(head);
    return new Request("PUT", Wire.BLOBS_PATH, headers + fields, head.flip(), payloads);
  }

  Request rank(RankFrame frame, String fields) {
    return request("POST", Wire.RANK_PATH, fields, frame.bytes(), frame::write);
  }
}
