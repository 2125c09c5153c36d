package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The ways a request protects its payload, as its field x-amz-content-sha256 says. */
public enum PayloadKind {
  /** Its hash is signed. */
  HASHED("", false, false, false),
  /** Nothing but the connection protects it. */
  UNSIGNED("UNSIGNED-PAYLOAD", false, false, false),
  /** Signed chunks. */
  SIGNED_CHUNKS("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", true, true, false),
  /** Signed chunks and a signed trailer. */
  SIGNED_CHUNKS_TRAILER("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", true, true, true),
  /** Chunks without signatures and a trailer with a checksum. */
  UNSIGNED_CHUNKS_TRAILER("STREAMING-UNSIGNED-PAYLOAD-TRAILER", true, false, true);

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final String text;
  private final boolean chunked;
  private final boolean signedChunks;
  private final boolean trailer;

  PayloadKind(String text, boolean chunked, boolean signedChunks, boolean trailer) {
    this.text = text;
    this.chunked = chunked;
    this.signedChunks = signedChunks;
    this.trailer = trailer;
  }

  /** Returns the word that stands for it; empty for a hash. */
  String text() {
    return text;
  }

  /** Returns true if the payload comes in chunks of AWS's own framing. */
  public boolean isChunked() {
    return chunked;
  }

  /** Returns true if each chunk has a signature. */
  boolean hasSignedChunks() {
    return signedChunks;
  }

  /** Returns true if fields follow the last chunk. */
  public boolean hasTrailer() {
    return trailer;
  }

  /** Returns the kind that the field states. */
  static PayloadKind of(@Nullable String field) throws S3Failure {
    if (field == null) {
      throw S3Failure.of(
          S3Code.INVALID_REQUEST, "Missing required header for this request: x-amz-content-sha256");
    }
    for (PayloadKind kind : values()) {
      if (!kind.text.isEmpty() && kind.text.equals(field)) {
        return kind;
      }
    }
    if (HASH.matcher(field).matches()) {
      return HASHED;
    }
    throw S3Failure.of(
        S3Code.INVALID_ARGUMENT,
        "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a valid sha256 value, or a streaming"
            + " payload of AWS4-HMAC-SHA256");
  }
}
