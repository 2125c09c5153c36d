package io.quiver.cli;

import io.quiver.client.Blob;
import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Batches of blobs into a server and out of it, as training jobs send them. Recorded with the
 * start-up, it tells the compiler of later servers and clients what will be run often, so that they
 * are fast after a second and not after ten.
 */
final class ServingTraining {
  /** Bytes of a blob, and how many make a batch. */
  private record Shape(int bytes, int batch) {}

  private static final List<Shape> SHAPES =
      List.of(new Shape(3_000, 512), new Shape(20_000, 512), new Shape(150_000, 64));

  private final CacheClient client;
  private final Random random = new Random(1);

  private ServingTraining(CacheClient client) {
    this.client = client;
  }

  /** Gives every size of blob this long. */
  static void run(URI server, Duration each) {
    try (CacheClient client = CacheClient.connect(ClientConfig.of(List.of(server)))) {
      ServingTraining training = new ServingTraining(client);
      SHAPES.forEach(shape -> training.run(shape, each));
    }
  }

  private void run(Shape shape, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    List<Blob> blobs = blobs(shape);
    List<ContentHash> hashes = new ArrayList<>(blobs.stream().map(Blob::hash).toList());
    while (System.nanoTime() - end < 0) {
      // Again and again: what is here already is hashed nevertheless.
      client.put(blobs);
      for (int i = 0; i < 8; i++) {
        Collections.shuffle(hashes, random);
        try (BlobAnswer answer = client.get(hashes)) {
          requireAll(answer, hashes.size());
        }
      }
    }
  }

  private static void requireAll(BlobAnswer answer, int expected) {
    if (answer.hits() != expected) {
      throw new IllegalStateException(
          "only " + answer.hits() + " of " + expected + " blobs came; " + answer.failures());
    }
  }

  private List<Blob> blobs(Shape shape) {
    List<Blob> blobs = new ArrayList<>();
    for (int i = 0; i < shape.batch; i++) {
      byte[] content = new byte[shape.bytes];
      random.nextBytes(content);
      ByteBuffer outside = ByteBuffer.allocateDirect(shape.bytes).put(content).flip();
      blobs.add(new Blob(ContentHash.ofContent(content), SpaceId.DEFAULT, outside));
    }
    return blobs;
  }
}
