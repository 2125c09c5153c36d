package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Failure;
import java.io.IOException;
import java.io.Serial;

/** Carries what is wrong with a payload through those who read it as a stream. */
public final class PayloadFailure extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient S3Failure failure;

  PayloadFailure(S3Failure failure) {
    super(failure);
    this.failure = failure;
  }

  /** Returns the answer to the request. */
  public S3Failure failure() {
    return failure;
  }
}
