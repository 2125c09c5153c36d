package io.quiver.server;

import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.FrameException;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly the bytes a test wants and waits no longer than ten seconds. */
final class TestClient implements AutoCloseable {
  /** The field that a call with a document needs. */
  static final String JSON = "Content-Type: application/json\r\n";

  private static final int PATIENCE_MS = 10_000;

  private final Socket socket;
  private final InputStream input;

  /** An answer: its status, header fields by lower-case name, and body. */
  @SuppressWarnings("ArrayRecordComponent")
  record Answer(int status, Map<String, String> fields, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String field(String name) {
      return fields.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  /** The parts of an answer to a batch get. */
  @SuppressWarnings("ArrayRecordComponent")
  record Blobs(AnswerFrame frame, byte[] payload, Answer answer) {}

  TestClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    this.input = new BufferedInputStream(socket.getInputStream());
  }

  static TestClient connect(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.connect(address, PATIENCE_MS);
    return new TestClient(socket);
  }

  Socket socket() {
    return socket;
  }

  TestClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  TestClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Returns a request with a Host field, these fields (each ended by CRLF) and a body. */
  TestClient request(String line, String fields, byte[] body) throws IOException {
    String length = body.length == 0 ? "" : "Content-Length: " + body.length + "\r\n";
    String head = line + " HTTP/1.1\r\nHost: test\r\n" + length + fields + "\r\n";
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    request.writeBytes(body);
    return send(request.toByteArray());
  }

  Answer ask(String line) throws IOException {
    return request(line, "", new byte[0]).answer(line.startsWith("HEAD "));
  }

  Answer ask(String line, String fields, byte[] body) throws IOException {
    return request(line, fields, body).answer(line.startsWith("HEAD "));
  }

  Answer answer() throws IOException {
    return answer(false);
  }

  Answer answer(boolean headOnly) throws IOException {
    String[] status = line().split(" ", 3);
    Map<String, String> fields = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      fields.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
    }
    int length = headOnly ? 0 : Integer.parseInt(fields.getOrDefault("content-length", "0"));
    byte[] body = input.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the answer's body ends after " + body.length + " of " + length);
    }
    return new Answer(Integer.parseInt(status[1]), fields, body);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = input.read();
    while (next != '\n') {
      if (next < 0) {
        throw new EOFException("the connection ended in the head of an answer: " + line);
      }
      if (next != '\r') {
        line.write(next);
      }
      next = input.read();
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns true if the server closes the connection, by whatever means, before the patience ends.
   */
  boolean endsWithoutAnswer() throws IOException {
    try {
      return input.read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  Blobs get(List<ContentHash> hashes, int want) throws IOException, FrameException {
    return blobs("/v1/blobs/get", new AskFrame(hashes, want, false), "");
  }

  Blobs blobs(String path, AskFrame ask, String fields) throws IOException, FrameException {
    Answer answer = ask("POST " + path, fields, bytes(ask));
    return blobs(answer, ask.hashes().size());
  }

  static Blobs blobs(Answer answer, int count) throws FrameException {
    if (answer.status() != 200) {
      throw new IllegalStateException("answered " + answer.status() + " " + answer.text());
    }
    int head = AnswerFrame.bytes(count);
    AnswerFrame frame =
        AnswerFrame.parse(ByteBuffer.wrap(answer.body(), 0, head), count, Integer.MAX_VALUE);
    return new Blobs(frame, Arrays.copyOfRange(answer.body(), head, answer.body().length), answer);
  }

  List<Receipt> put(OfferFrame offer, byte[]... payloads) throws IOException, FrameException {
    Answer answer = ask("PUT /v1/blobs", "", bytes(offer, payloads));
    if (answer.status() != 200) {
      throw new IllegalStateException("answered " + answer.status() + " " + answer.text());
    }
    return ReceiptFrame.parse(ByteBuffer.wrap(answer.body()), offer.blobs().size()).receipts();
  }

  static byte[] bytes(AskFrame ask) {
    ByteBuffer target = ByteBuffer.allocate(ask.bytes());
    ask.write(target);
    return target.array();
  }

  static byte[] bytes(OfferFrame offer, byte[]... payloads) {
    ByteBuffer head = ByteBuffer.allocate(offer.headBytes());
    offer.writeHead(head);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(head.array());
    for (byte[] payload : payloads) {
      body.writeBytes(payload);
    }
    return body.toByteArray();
  }

  /** Returns the body in chunks of these lengths at most. */
  static byte[] chunked(byte[] body, int chunk) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < body.length; at += chunk) {
      int length = Math.min(chunk, body.length - at);
      out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(body, at, length);
      out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  /** Ends the connection before the test is over. */
  void hangUp() throws IOException {
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
