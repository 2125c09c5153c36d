package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.signature.ChunkSigner;
import io.quiver.gateway.s3.signature.PayloadKind;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payload in AWS's own chunks: {@code SIZE;chunk-signature=HEX}, the data, and after a chunk of
 * no bytes perhaps a trailer. The signature of each chunk is required as soon as its data is there.
 */
public final class ChunkFraming implements Framing {
  private static final int BUFFER_BYTES = 8 << 10;
  private static final int MAX_LINE = 1 << 10;
  private static final int MAX_TRAILER_LINES = 8;
  private static final String SIGNATURE = ";chunk-signature=";
  private static final String TRAILER_SIGNATURE = "x-amz-trailer-signature";

  private final RequestBody body;
  private final PayloadKind kind;
  private final @Nullable ChunkSigner signer;
  private final MessageDigest hash = ContentChecks.digest("SHA-256");
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;
  private long leftInPayload;
  private long leftInChunk;
  private boolean inChunk;
  private String signature = "";

  ChunkFraming(
      RequestBody body, long payloadBytes, PayloadKind kind, @Nullable ChunkSigner signer) {
    this.body = body;
    this.leftInPayload = payloadBytes;
    this.kind = kind;
    this.signer = signer;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException, Refusal, S3Failure {
    if (leftInChunk == 0) {
      endChunk();
      beginChunk();
      if (leftInChunk == 0) {
        throw ContentChecks.incomplete();
      }
    }
    int step = (int) Math.min(count, leftInChunk);
    if (at < end) {
      step = Math.min(step, end - at);
      System.arraycopy(buffer, at, target, offset, step);
      at += step;
    } else {
      step = body.read(target, offset, step);
      if (step < 0) {
        throw ContentChecks.incomplete();
      }
    }
    if (signer != null) {
      hash.update(target, offset, step);
    }
    leftInChunk -= step;
    leftInPayload -= step;
    return step;
  }

  @Override
  public void finish(ContentChecks checks) throws IOException, Refusal, S3Failure {
    endChunk();
    beginChunk();
    if (leftInChunk != 0) {
      throw malformed("there is data after the length that was stated");
    }
    if (signer != null) {
      signer.verifyChunk(hex(hash.digest()), signature);
    }
    if (kind.hasTrailer()) {
      trailer(checks);
    } else if (!line().isEmpty()) {
      throw malformed("something follows the last chunk");
    }
    if (at < end || body.read(buffer, 0, 1) >= 0) {
      throw malformed("something follows the last chunk");
    }
  }

  private void beginChunk() throws IOException, Refusal, S3Failure {
    String line = line();
    int semicolon = line.indexOf(';');
    String size = semicolon < 0 ? line : line.substring(0, semicolon);
    if (size.isEmpty() || size.length() > 15 || !size.chars().allMatch(HexFormat::isHexDigit)) {
      throw malformed("the size of a chunk is no hexadecimal number");
    }
    leftInChunk = HexFormat.fromHexDigitsToLong(size);
    if (leftInChunk > leftInPayload) {
      throw malformed("the chunks are longer than x-amz-decoded-content-length");
    }
    if (signer != null) {
      if (semicolon < 0 || !line.startsWith(SIGNATURE, semicolon)) {
        throw malformed("a chunk has no signature");
      }
      signature = line.substring(semicolon + SIGNATURE.length());
    }
    inChunk = leftInChunk > 0;
  }

  private void endChunk() throws IOException, Refusal, S3Failure {
    if (inChunk) {
      inChunk = false;
      if (signer != null) {
        signer.verifyChunk(hex(hash.digest()), signature);
      }
      if (!line().isEmpty()) {
        throw malformed("a chunk is longer than its size");
      }
    }
  }

  private void trailer(ContentChecks checks) throws IOException, Refusal, S3Failure {
    StringBuilder signed = new StringBuilder();
    Map<String, String> fields = new HashMap<>();
    String given = "";
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 1 || fields.size() == MAX_TRAILER_LINES) {
        throw malformed("the trailer is malformed");
      }
      String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      if (name.equals(TRAILER_SIGNATURE)) {
        given = value;
      } else {
        signed.append(name).append(':').append(value).append('\n');
        fields.put(name, value);
      }
      if (atBodyEnd()) {
        break;
      }
    }
    if (signer != null) {
      byte[] lines = signed.toString().getBytes(StandardCharsets.UTF_8);
      signer.verifyTrailer(hex(ContentChecks.digest("SHA-256").digest(lines)), given);
    }
    checks.trailer(fields);
  }

  /** Returns true if nothing follows; some clients leave the last line end out. */
  private boolean atBodyEnd() throws IOException, Refusal {
    return at == end && !fill();
  }

  private boolean fill() throws IOException, Refusal {
    at = 0;
    end = Math.max(0, body.read(buffer, 0, buffer.length));
    return end > 0;
  }

  /** Returns the next line without its end. */
  private String line() throws IOException, Refusal, S3Failure {
    StringBuilder line = new StringBuilder(96);
    while (true) {
      if (at == end && !fill()) {
        throw ContentChecks.incomplete();
      }
      char c = (char) (buffer[at++] & 0xff);
      if (c == '\n') {
        int length = line.length();
        if (length == 0 || line.charAt(length - 1) != '\r') {
          throw malformed("a line does not end in CR LF");
        }
        return line.substring(0, length - 1);
      }
      line.append(c);
      if (line.length() > MAX_LINE) {
        throw malformed("a line is longer than " + MAX_LINE + " bytes");
      }
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static S3Failure malformed(String why) {
    return S3Failure.of(S3Code.INVALID_REQUEST, "The aws-chunked body is malformed: " + why + ".");
  }
}
