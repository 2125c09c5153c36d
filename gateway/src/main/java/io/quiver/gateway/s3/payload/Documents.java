package io.quiver.gateway.s3.payload;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.XmlDocument;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.http.ByteBudget;
import io.quiver.http.Refusal;
import java.io.IOException;

/** Receives the documents of requests, with the memory they may take all together. */
public final class Documents {
  /** A document that names 10,000 parts with their checksums has less than two megabytes. */
  private static final int MAX_BYTES = 4 << 20;

  private final ByteBudget budget;

  public Documents(ByteBudget budget) {
    this.budget = budget;
  }

  /** Receives a document whose root has this name. */
  public XmlDocument.Element read(S3Call call, String root) throws IOException, S3Failure, Refusal {
    VerifiedBody body = VerifiedBody.of(call.request(), call.caller());
    if (body.length() > MAX_BYTES) {
      throw S3Failure.of(
          S3Code.ENTITY_TOO_LARGE, "A document may have " + MAX_BYTES + " bytes at most.");
    }
    // The tree of elements takes several times the bytes of the text.
    try (ByteBudget.Share _ =
        budget.take(call.request().exchange().body().caller(), 4 * body.length())) {
      byte[] bytes = body.requireEmptyVerified().readNBytes((int) body.length());
      return XmlDocument.parse(bytes, root);
    }
  }
}
