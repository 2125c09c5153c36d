package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import org.jspecify.annotations.Nullable;

/**
 * The maker of a request, and the protection of its payload.
 *
 * @param key the access key
 * @param payload the protection of the payload
 * @param contentHash the signed hash of the payload; empty without one
 * @param chunks checks signatures of chunks; null where nothing is signed
 */
public record Caller(
    AccessKey key, PayloadKind payload, String contentHash, @Nullable ChunkSigner chunks) {
  /** Somebody who signs nothing, where that is allowed. */
  static final Caller ANYBODY = new Caller(AccessKey.ANYBODY, PayloadKind.UNSIGNED, "", null);

  /** Refuses what the key does not grant. */
  public void require(boolean writing, String bucket, String key) throws S3Failure {
    if (!this.key.allows(writing, bucket, key)) {
      throw denied();
    }
  }

  /** Returns the answer to what is not granted. */
  public static S3Failure denied() {
    return S3Failure.of(S3Code.ACCESS_DENIED, "Access Denied");
  }
}
