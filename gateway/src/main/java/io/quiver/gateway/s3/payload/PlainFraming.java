package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import java.io.IOException;

/** A payload that is the body of the request as it is. */
public final class PlainFraming implements Framing {
  private final RequestBody body;

  PlainFraming(RequestBody body) {
    this.body = body;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException, Refusal, S3Failure {
    int step = body.read(target, offset, count);
    if (step < 0) {
      throw ContentChecks.incomplete();
    }
    return step;
  }

  @Override
  public void finish(ContentChecks checks) throws IOException, Refusal, S3Failure {
    if (body.read(new byte[1], 0, 1) >= 0) {
      throw S3Failure.of(
          S3Code.INCOMPLETE_BODY, "The body is longer than the length stated for it.");
    }
  }
}
