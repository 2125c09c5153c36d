package io.quiver.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer of server-sent events, as browsers' {@code EventSource} reads them. Every event leaves
 * at once. A peer that is gone is noticed when something is sent: send a {@link #keepAlive} now and
 * then.
 */
public final class EventStream implements AutoCloseable {
  private final ChunkedAnswer answer;

  /** Begins the answer. */
  public EventStream(Exchange exchange) throws IOException {
    this.answer =
        exchange.beginChunked(200, "text/event-stream", Map.of("Cache-Control", "no-store"));
    answer.flush();
  }

  /**
   * Sends an event.
   *
   * @param name the kind of event
   * @param id what a client that connects again names as {@code Last-Event-ID}
   * @param data text of one or more lines
   */
  public void send(String name, String id, String data) throws IOException {
    StringBuilder event = new StringBuilder(data.length() + 64);
    line(event, "event", name);
    line(event, "id", id);
    data.lines().forEach(line -> line(event, "data", line));
    write(event.append('\n'));
  }

  /** Sends a comment, which clients ignore. */
  public void keepAlive() throws IOException {
    write(new StringBuilder(":\n\n"));
  }

  private static void line(StringBuilder event, String field, String value) {
    if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
      throw new IllegalArgumentException(field + " of an event has a line end");
    }
    event.append(field).append(": ").append(value).append('\n');
  }

  private void write(StringBuilder text) throws IOException {
    answer.write(text.toString().getBytes(StandardCharsets.UTF_8));
    answer.flush();
  }

  /** Ends the stream. */
  @Override
  public void close() throws IOException {
    answer.close();
  }
}
