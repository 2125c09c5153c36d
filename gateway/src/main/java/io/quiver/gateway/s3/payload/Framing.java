package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.http.Refusal;
import java.io.IOException;

/** Takes the bytes of a payload out of what the client sends around them. */
public sealed interface Framing permits PlainFraming, ChunkFraming {
  /**
   * Reads at least one byte of the payload, of which as many are left as the target takes, or more.
   */
  int read(byte[] target, int offset, int count) throws IOException, Refusal, S3Failure;

  /**
   * Reads what follows the last byte of the payload, and requires that nothing is wrong with it.
   *
   * @param checks learn what a trailer says of the payload
   */
  void finish(ContentChecks checks) throws IOException, Refusal, S3Failure;
}
