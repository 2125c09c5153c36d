package io.quiver.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the requests of one connection, one after the other, in the order they came. */
final class RequestLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLoop.class);
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Most bytes read from a peer that still sends while it should read our refusal. */
  private static final long LINGER_BYTES = 64 << 20;

  private final Transport transport;
  private final String caller;
  private final RequestTimeouts timeouts;
  private final RequestHandler handler;
  private final TrafficListener traffic;
  private final LongSupplier nanoTime;
  private final RequestReader reader;
  private final AnswerWriter outgoing;

  RequestLoop(
      Transport transport,
      String caller,
      RequestTimeouts timeouts,
      DirectBuffers pool,
      RequestHandler handler,
      TrafficListener traffic,
      Semaphore largeHeads,
      LongSupplier nanoTime) {
    this.transport = transport;
    this.caller = caller;
    this.timeouts = timeouts;
    this.handler = handler;
    this.traffic = traffic;
    this.nanoTime = nanoTime;
    this.reader = new RequestReader(transport, timeouts, largeHeads);
    this.outgoing = new AnswerWriter(transport, pool);
  }

  /** Serves until the peer is done, something breaks or a request cannot be followed by another. */
  void serve() throws IOException {
    try {
      boolean more = true;
      while (more && reader.await()) {
        more = serveNext();
        outgoing.release();
      }
    } finally {
      outgoing.release();
    }
  }

  private boolean serveNext() throws IOException {
    Exchange exchange;
    try {
      ClassicHttpRequest head = reader.head();
      if (head == null) {
        return false;
      }
      RequestReader.check(head);
      RequestBody body = reader.body(head, caller, this::sendContinue);
      String uri = head.getRequestUri();
      RequestTarget target =
          handler.decodesTargets() ? RequestTarget.raw(uri) : RequestTarget.parse(uri);
      exchange = new Exchange(head, target, body, outgoing, timeouts, transport.certificateNames());
    } catch (Refusal refusal) {
      traffic.malformed(refusal.status());
      refuseUnread(refusal);
      return false;
    }
    return serve(exchange);
  }

  private boolean serve(Exchange exchange) throws IOException {
    long began = nanoTime.getAsLong();
    traffic.asked();
    try {
      answer(exchange);
    } finally {
      traffic.answered(
          exchange,
          exchange.status(),
          exchange.body().received(),
          exchange.answerBytes(),
          nanoTime.getAsLong() - began);
    }
    if (!exchange.last() && exchange.body().drain()) {
      return true;
    }
    linger(exchange.body());
    return false;
  }

  private void answer(Exchange exchange) throws IOException {
    try {
      handler.handle(exchange);
    } catch (Refusal refusal) {
      refuse(exchange, refusal);
    } catch (RuntimeException e) {
      LOG.error("a request failed inside the server", e);
      refuse(
          exchange,
          Refusal.of(500, "the server failed", "look into its log for the cause").closing());
    }
  }

  private void refuse(Exchange exchange, Refusal refusal) throws IOException {
    if (exchange.status() != 0) {
      throw new IOException("an answer broke off half way", refusal);
    }
    if (refusal.lastRequest()) {
      exchange.makeLast();
    }
    exchange.answer(refusal.status(), Exchange.JSON, json(refusal), refusal.fields());
  }

  /** Refuses a request whose end is not known: nothing can follow it. */
  private void refuseUnread(Refusal refusal) throws IOException {
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    byte[] json = json(refusal);
    Exchange.writeHead(outgoing, refusal.status(), Exchange.JSON, json.length, Map.of(), true);
    outgoing.append(ByteBuffer.wrap(json));
    outgoing.flush();
    linger();
  }

  /** Lets the peer send its body; one that does not read is cut here as in every answer. */
  private void sendContinue() throws IOException {
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    transport.write(new ByteBuffer[] {ByteBuffer.wrap(CONTINUE)}, 1);
    timeouts.begin(RequestTimeouts.Phase.WORKING);
  }

  /** Lets the peer read our last answer before the connection goes, even if it is still sending. */
  private void linger(RequestBody body) throws IOException {
    if (!body.exhausted()) {
      linger();
    }
  }

  private void linger() throws IOException {
    transport.finish();
    timeouts.begin(RequestTimeouts.Phase.HEAD);
    byte[] scratch = new byte[16 << 10];
    long drained = 0;
    int step = 0;
    while (step >= 0 && drained < LINGER_BYTES) {
      step = transport.input().read(scratch, 0, scratch.length);
      drained += step;
    }
  }

  private static byte[] json(Refusal refusal) {
    Map<String, String> document = new LinkedHashMap<>();
    document.put("error", refusal.error());
    document.put("remedy", refusal.remedy());
    return JsonLine.bytes(document);
  }
}
