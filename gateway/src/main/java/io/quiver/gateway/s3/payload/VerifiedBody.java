package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.signature.Caller;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a request, checked while it is passed on. Its last bytes are handed out only after
 * everything that the request says of the payload was found true: whoever stores it piece by piece
 * under an announced length never sees the end of a wrong one.
 */
public final class VerifiedBody extends InputStream {
  private static final String DECODED_LENGTH = "x-amz-decoded-content-length";

  private final Framing framing;
  private final ContentChecks checks;
  private final long length;
  private long position;
  private boolean verified;
  private @Nullable S3Failure failure;

  private VerifiedBody(Framing framing, ContentChecks checks, long length) {
    this.framing = framing;
    this.checks = checks;
    this.length = length;
  }

  /** Begins to receive a payload. */
  public static VerifiedBody of(S3Request request, Caller caller) throws S3Failure {
    RequestBody body = request.exchange().body();
    ContentChecks checks = ContentChecks.of(request, caller);
    String decoded = request.field(DECODED_LENGTH);
    long length = decoded == null ? body.length() : number(decoded);
    if (length < 0) {
      throw S3Failure.of(S3Code.MISSING_LENGTH, "You must provide the Content-Length HTTP header.");
    }
    if (!caller.payload().isChunked()) {
      return new VerifiedBody(new PlainFraming(body), checks, length);
    }
    if (decoded == null) {
      throw S3Failure.of(
          S3Code.MISSING_LENGTH, "You must provide the " + DECODED_LENGTH + " HTTP header.");
    }
    return new VerifiedBody(
        new ChunkFraming(body, length, caller.payload(), caller.chunks()), checks, length);
  }

  private static long number(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
  }

  /** Returns the length of the payload. */
  public long length() {
    return length;
  }

  /** Receives a payload that has no bytes, of which there would be no last ones to hold back. */
  public VerifiedBody requireEmptyVerified() throws IOException, S3Failure {
    if (length == 0) {
      try {
        finish();
      } catch (PayloadFailure e) {
        throw e.failure();
      }
    }
    return this;
  }

  /** Throws what was found wrong with the payload, if anything was. */
  public void rethrow() throws S3Failure {
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns true once everything that the request says of the payload was found true. */
  public boolean isVerified() {
    return verified;
  }

  /** Returns the checksums that were stated and found right, as fields of the answer. */
  public Map<String, String> verifiedSums() {
    return checks.verified();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (failure != null) {
      throw new PayloadFailure(failure);
    }
    if (count == 0) {
      return 0;
    }
    if (position == length) {
      finish();
      return -1;
    }
    try {
      int step = receive(target, offset, (int) Math.min(count, length - position));
      checks.update(target, offset, step);
      position += step;
      if (position == length) {
        finish();
      }
      return step;
    } catch (Refusal e) {
      throw failed(S3Failure.of(e));
    } catch (S3Failure e) {
      throw failed(e);
    }
  }

  /** Receives bytes; a client that is gone, or was cut, is no failure of the store. */
  private int receive(byte[] target, int offset, int count) throws IOException, Refusal, S3Failure {
    try {
      return framing.read(target, offset, count);
    } catch (IOException gone) {
      throw S3Failure.of(
          S3Code.INCOMPLETE_BODY,
          "The connection ended after " + position + " of " + length + " bytes of the payload.");
    }
  }

  private void finish() throws IOException {
    if (!verified) {
      try {
        framing.finish(checks);
        checks.verify();
        verified = true;
      } catch (Refusal e) {
        throw failed(S3Failure.of(e));
      } catch (S3Failure e) {
        throw failed(e);
      }
    }
  }

  private PayloadFailure failed(S3Failure cause) {
    failure = cause;
    return new PayloadFailure(cause);
  }
}
