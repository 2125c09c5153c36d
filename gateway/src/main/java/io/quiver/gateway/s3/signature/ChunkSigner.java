package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import software.amazon.awssdk.http.auth.aws.internal.signer.CredentialScope;
import software.amazon.awssdk.http.auth.aws.internal.signer.RollingSigner;

/**
 * Checks the signatures of a payload's chunks, each of which covers the one before; the first
 * follows that of the request. Used by one thread.
 */
public final class ChunkSigner {
  private static final String EMPTY_HASH =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final RollingSigner signer;
  private final CredentialScope scope;

  ChunkSigner(RollingSigner signer, CredentialScope scope) {
    this.signer = signer;
    this.scope = scope;
  }

  /** Requires the signature of the next chunk, given the hash of its data. */
  public void verifyChunk(String dataHash, String signature) throws S3Failure {
    verify("AWS4-HMAC-SHA256-PAYLOAD", EMPTY_HASH + "\n" + dataHash, signature);
  }

  /** Requires the signature of the trailer, given the hash of its lines. */
  public void verifyTrailer(String linesHash, String signature) throws S3Failure {
    verify("AWS4-HMAC-SHA256-TRAILER", linesHash, signature);
  }

  private void verify(String kind, String hashes, String signature) throws S3Failure {
    String expected =
        signer.sign(
            before -> String.join("\n", kind, scope.getDatetime(), scope.scope(), before, hashes));
    if (!SignatureCheck.same(expected, signature)) {
      throw S3Failure.of(
          S3Code.SIGNATURE_DOES_NOT_MATCH,
          "The signature of a chunk does not match its data; nothing was stored.");
    }
  }
}
