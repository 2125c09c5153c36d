package io.quiver.client;

import io.quiver.client.GetRequest.Verification;
import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Verifies received bytes, reusing its checksums for a whole batch; for one thread. */
final class BlobCheck {
  private final Verification verification;
  private final CRC32C crc = new CRC32C();

  BlobCheck(Verification verification) {
    this.verification = verification;
  }

  /**
   * Returns true if the bytes between position and limit, which may move, are those of the blob.
   */
  boolean passes(ContentHash hash, int crc32c, ByteBuffer bytes) {
    return switch (verification) {
      case NONE -> true;
      case SHA256 -> ContentHash.ofContent(bytes).equals(hash);
      case CRC32C -> {
        crc.reset();
        crc.update(bytes);
        yield (int) crc.getValue() == crc32c;
      }
    };
  }
}
