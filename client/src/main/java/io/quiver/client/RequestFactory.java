package io.quiver.client;

import io.quiver.client.transport.Request;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.Wire;
import java.nio.ByteBuffer;
import java.util.List;

/** Makes requests of frames, with the headers that every request of this client carries. */
final class RequestFactory {
  private final String headers;

  RequestFactory(ClientConfig config) {
    String dataset =
        config.dataset().isEmpty() ? "" : Wire.DATASET_HEADER + ": " + config.dataset() + "\r\n";
    headers =
        "Content-Type: "
            + Wire.FRAME_TYPE
            + "\r\n"
            + Wire.JOB_HEADER
            + ": "
            + config.job()
            + "\r\n"
            + dataset
            + config
                .credentials()
                .authorization()
                .map(value -> "Authorization: " + value + "\r\n")
                .orElse("");
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

  Request put(OfferFrame frame, List<ByteBuffer> payloads, long plan) {
    ByteBuffer head = ByteBuffer.allocate(frame.headBytes());
    frame.writeHead(head);
    String planned = plan > 0 ? headers + Wire.PLAN_HEADER + ": " + plan + "\r\n" : headers;
    return new Request("PUT", Wire.BLOBS_PATH, planned, head.flip(), payloads);
  }
}
