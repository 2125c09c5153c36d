package io.quiver.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.impl.EnglishReasonPhraseCatalog;
import org.apache.hc.core5.http.protocol.HttpDateGenerator;
import org.jspecify.annotations.Nullable;

/** Holds one request and its answer, as a handler sees them. */
public final class Exchange {
  /** Content type of control answers. */
  public static final String JSON = "application/json";

  private static final int ALIGNMENT = 64;
  private static final long CHUNKED = -1;
  private static final long UNTIL_CLOSE = -2;

  private final ClassicHttpRequest request;
  private final RequestTarget target;
  private final RequestBody body;
  private final AnswerWriter outgoing;
  private final RequestTimeouts timeouts;
  private final List<String> certificateNames;
  private Map<String, String> pathValues = Map.of();
  private @Nullable Route route;
  private @Nullable Identity identity;
  private @Nullable Object note;
  private boolean lastRequest;
  private int status;
  private long answerBytes;

  Exchange(
      ClassicHttpRequest request,
      RequestTarget target,
      RequestBody body,
      AnswerWriter outgoing,
      RequestTimeouts timeouts,
      List<String> certificateNames) {
    this.request = request;
    this.target = target;
    this.body = body;
    this.outgoing = outgoing;
    this.timeouts = timeouts;
    this.certificateNames = certificateNames;
    this.lastRequest = RequestReader.last(request);
  }

  /** Returns the method, as sent. */
  public String method() {
    return request.getMethod();
  }

  /** Returns the path without the query, decoded. It may hold a hash, so never log it. */
  public String path() {
    return target.path();
  }

  /** Returns the path as sent. */
  public String rawPath() {
    return target.rawPath();
  }

  /** Returns the query as sent, without the question mark; empty without one. */
  public String rawQuery() {
    return target.rawQuery();
  }

  /** Returns the value of a variable segment of the route's path, decoded. */
  public String pathValue(String name) {
    return Objects.requireNonNull(pathValues.get(name), name);
  }

  void bind(Map<String, String> values) {
    pathValues = values;
  }

  /** Returns the line of the table that the request was dispatched by; null if none fits. */
  public @Nullable Route route() {
    return route;
  }

  /** Returns who makes the request; null if it needs no identity and shows none. */
  public @Nullable Identity identity() {
    return identity;
  }

  void assign(Route line, @Nullable Identity caller) {
    route = line;
    identity = caller;
  }

  /** Returns the names in the verified certificate of the client; empty without one. */
  List<String> certificateNames() {
    return certificateNames;
  }

  /** Returns a parameter of the query, decoded. */
  public @Nullable String parameter(String name) {
    return target.query().get(name);
  }

  /** Returns the first header field of this name. */
  public @Nullable String field(String name) {
    Header header = request.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  /** Passes every header field to a consumer, in the order they came. */
  public void fields(BiConsumer<String, String> consumer) {
    for (Header header : request.getHeaders()) {
      consumer.accept(header.getName(), header.getValue() == null ? "" : header.getValue());
    }
  }

  /** Returns what the client sends. */
  public RequestBody body() {
    return body;
  }

  /** Answers with a short body. */
  public void answer(int code, String contentType, byte[] content) throws IOException {
    answer(code, contentType, content, Map.of());
  }

  /** Answers with a short body and further header fields. */
  public void answer(int code, String contentType, byte[] content, Map<String, String> fields)
      throws IOException {
    AnswerWriter out = begin(code, contentType, content.length, fields);
    if (sendsPayload()) {
      out.append(ByteBuffer.wrap(content));
    }
    out.flush();
  }

  /**
   * Begins an answer whose payload of exactly this length the handler appends and flushes, unless
   * {@link #sendsPayload} says that none is wanted. From here on nothing else can be answered.
   */
  public AnswerWriter begin(int code, String contentType, long length, Map<String, String> fields)
      throws IOException {
    status = code;
    answerBytes = length;
    lastRequest |= body.leftBehind();
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    writeHead(outgoing, code, contentType, length, fields, lastRequest);
    return outgoing;
  }

  /**
   * Begins an answer whose payload of exactly this length comes in pieces from somewhere slow. The
   * head leaves with the first piece. From here on nothing else can be answered.
   */
  public StreamedAnswer beginStreamed(
      int code, String contentType, long length, Map<String, String> fields) throws IOException {
    AnswerWriter out = begin(code, contentType, length, fields);
    timeouts.begin(RequestTimeouts.Phase.WORKING);
    return new StreamedAnswer(out, timeouts, length);
  }

  /**
   * Begins an answer of unknown length, which the handler writes and closes. From here on nothing
   * else can be answered.
   */
  public ChunkedAnswer beginChunked(int code, String contentType, Map<String, String> fields)
      throws IOException {
    boolean chunks = RequestReader.knowsChunks(request);
    status = code;
    lastRequest |= body.leftBehind() || !chunks;
    writeHead(outgoing, code, contentType, chunks ? CHUNKED : UNTIL_CLOSE, fields, lastRequest);
    return new ChunkedAnswer(
        outgoing, timeouts, chunks, !sendsPayload(), bytes -> answerBytes += bytes);
  }

  static void writeHead(
      AnswerWriter out,
      int code,
      String type,
      long length,
      Map<String, String> fields,
      boolean last)
      throws IOException {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(code).append(' ').append(reason(code)).append("\r\n");
    field(head, "Date", HttpDateGenerator.INSTANCE.getCurrentDate());
    if (code != 304 && code != 204) {
      field(head, "Content-Type", type);
      if (length >= 0) {
        field(head, "Content-Length", Long.toString(length));
      } else if (length == CHUNKED) {
        field(head, "Transfer-Encoding", "chunked");
      }
    }
    fields.forEach((name, value) -> field(head, name, value));
    if (last) {
      field(head, "Connection", "close");
    }
    align(head, Math.max(0, length));
    head.append("\r\n");
    out.reserve(head.length()).put(head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * Makes the whole answer a multiple of 64 bytes by white space that ends a field. Answers follow
   * each other in the kernel's pages, and where one begins a few bytes past the alignment of the
   * receiver's buffer, copying it costs three times as much.
   */
  private static void align(StringBuilder head, long length) {
    head.append("Server: quiver");
    long end = head.length() + 2 * "\r\n".length() + length;
    head.repeat(' ', (int) (-end & (ALIGNMENT - 1))).append("\r\n");
  }

  /** Returns false for HEAD, whose answer ends after the head. */
  public boolean sendsPayload() {
    return !request.getMethod().equals("HEAD");
  }

  /** Returns true once an answer has begun, after which nothing else can be answered. */
  public boolean answered() {
    return status != 0;
  }

  /** Keeps something that the handler found out for the listener of traffic. */
  public void note(Object finding) {
    note = finding;
  }

  /** Returns what the handler found out; null if it noted nothing. */
  public @Nullable Object note() {
    return note;
  }

  /** Returns the status that was sent, or zero before that. */
  int status() {
    return status;
  }

  long answerBytes() {
    return answerBytes;
  }

  /** Closes the connection after this answer, because where the next request begins is unknown. */
  public void makeLast() {
    lastRequest = true;
  }

  boolean last() {
    return lastRequest;
  }

  private static void field(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  private static String reason(int code) {
    String reason = EnglishReasonPhraseCatalog.INSTANCE.getReason(code, null);
    return reason == null ? "" : reason;
  }
}
