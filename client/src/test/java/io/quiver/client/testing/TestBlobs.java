package io.quiver.client.testing;

import io.quiver.client.Blob;
import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes blobs of random bytes, in heap and in direct memory by turns. */
public final class TestBlobs {
  private TestBlobs() {}

  /** Returns a blob of exactly this length. */
  public static Blob ofLength(Random random, int bytes) {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    if (random.nextBoolean()) {
      return Blob.of(ByteBuffer.wrap(content));
    }
    return Blob.of(ByteBuffer.allocateDirect(bytes).put(content).flip());
  }

  /** Returns blobs of up to this length. */
  public static List<Blob> some(Random random, int count, int maxBytes) {
    List<Blob> blobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blobs.add(ofLength(random, random.nextInt(maxBytes + 1)));
    }
    return blobs;
  }

  /** Returns their names. */
  public static List<ContentHash> hashes(List<Blob> blobs) {
    return blobs.stream().map(Blob::hash).toList();
  }
}
