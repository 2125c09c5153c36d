package io.quiver.client.transport;

import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.HttpConnection.StaleConnectionException;
import io.quiver.client.transport.ServerLink.AnswerReader;
import io.quiver.client.transport.ServerLink.Body;
import io.quiver.protocol.FrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Sends one request over one pooled connection and hands the body of the answer to a reader. A
 * connection that the server closed while it was idle is replaced at once.
 */
final class Exchanger {
  private static final int MAX_REASON_BYTES = 4096;
  private static final int MAX_REASON_CHARACTERS = 300;

  private final ServerEndpoint endpoint;
  private final ConnectionPool pool;
  private final Traffic traffic;

  Exchanger(ServerEndpoint endpoint, ConnectionPool pool, Traffic traffic) {
    this.endpoint = endpoint;
    this.pool = pool;
    this.traffic = traffic;
  }

  <T> T exchange(Request request, AnswerReader<T> reader, long deadline) throws ExchangeException {
    try {
      return exchange(pool.take(deadline), request, reader, deadline);
    } catch (StaleConnectionException e) {
      return exchangeAfresh(request, reader, deadline);
    }
  }

  private <T> T exchangeAfresh(Request request, AnswerReader<T> reader, long deadline)
      throws ExchangeException {
    try {
      return exchange(pool.takeFresh(deadline), request, reader, deadline);
    } catch (StaleConnectionException e) {
      throw new IllegalStateException("a new connection cannot be stale", e);
    }
  }

  private <T> T exchange(
      HttpConnection connection, Request request, AnswerReader<T> reader, long deadline)
      throws ExchangeException, StaleConnectionException {
    boolean reusable = false;
    connection.begin(deadline);
    try {
      traffic.requested();
      ResponseHead head = ask(connection, request);
      Body body = new Body(connection, head.bodyBytes());
      if (head.status() != 200) {
        throw refusal(head, body);
      }
      T result = reader.read(head, body, deadline);
      reusable = head.keepAlive() && body.left() == 0 && !connection.surplus();
      return result;
    } catch (IOException e) {
      throw failure(connection, e);
    } catch (FrameException e) {
      throw new ExchangeException(FailureKind.PROTOCOL, String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException(FailureKind.INTERRUPTED, "interrupted during the exchange", e);
    } finally {
      if (connection.end() && reusable) {
        pool.giveBack(connection);
      } else {
        pool.discard(connection);
      }
    }
  }

  /**
   * Sends the request and reads the head of the answer, which may come before the request is sent
   * completely.
   */
  private ResponseHead ask(HttpConnection connection, Request request)
      throws IOException, ExchangeException, StaleConnectionException {
    IOException sending = null;
    try {
      connection.send(request.bytes(endpoint.id()));
    } catch (IOException e) {
      sending = e;
    }
    try {
      return connection.receive();
    } catch (IOException e) {
      IOException first = sending == null ? e : sending;
      boolean ours = connection.expired() || Thread.currentThread().isInterrupted();
      if (connection.used() && !ours && !pool.isClosed()) {
        throw new StaleConnectionException(first);
      }
      throw first;
    }
  }

  private ExchangeException failure(HttpConnection connection, IOException e) {
    if (pool.isClosed()) {
      return new ExchangeException(FailureKind.CLOSED, "the client was closed", e);
    }
    if (connection.expired()) {
      return new ExchangeException(FailureKind.TIMEOUT, "no complete answer in time", e);
    }
    if (Thread.currentThread().isInterrupted()) {
      return new ExchangeException(FailureKind.INTERRUPTED, "interrupted during the exchange", e);
    }
    return new ExchangeException(FailureKind.BROKEN, "the connection broke: " + e.getMessage(), e);
  }

  private static ExchangeException refusal(ResponseHead head, Body body) throws IOException {
    int bytes = (int) Math.min(MAX_REASON_BYTES, body.left());
    ByteBuffer text = ByteBuffer.allocate(bytes);
    body.fill(text);
    String reason =
        StandardCharsets.UTF_8.decode(text.flip()).toString().replaceAll("\\p{Cntrl}+", " ");
    String shown =
        reason.length() <= MAX_REASON_CHARACTERS
            ? reason
            : reason.substring(0, MAX_REASON_CHARACTERS) + "…";
    boolean busy = head.status() == 429 || head.status() == 503;
    return new ExchangeException(
        busy ? FailureKind.BUSY : FailureKind.REFUSED,
        "the server answered " + head.status() + " " + shown,
        head.retryAfter());
  }
}
