package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import io.quiver.store.BlobStore;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server over the store it is made for: mapped segments on disk. */
class SsdServingTest {
  @TempDir Path folder;

  @Test
  void blobsInsertedThroughTheServerAreServedAlsoAfterARestart() throws Exception {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> contents = new ArrayList<>();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      byte[] content = new byte[random.nextInt(1 << random.nextInt(18))];
      random.nextBytes(content);
      contents.add(content);
      all.writeBytes(content);
    }
    List<ContentHash> hashes = contents.stream().map(ContentHash::ofContent).toList();
    try (TestServer server = new TestServer(open(), config -> config);
        TestClient client = server.client()) {
      assertThat(client.put(offer(contents), contents.toArray(byte[][]::new)))
          .as("seed %d", seed)
          .allMatch(Receipt::here);
      assertThat(client.get(hashes, 100).payload())
          .as("seed %d", seed)
          .isEqualTo(all.toByteArray());
    }
    try (TestServer server = new TestServer(open(), config -> config);
        TestClient client = server.client()) {
      assertThat(client.get(hashes, 100).payload())
          .as("seed %d", seed)
          .isEqualTo(all.toByteArray());
      assertThat(client.ask("DELETE /v1/spaces/ssd").status()).isEqualTo(200);
      assertThat(client.get(hashes, 100).payload()).isEmpty();
    }
  }

  @Test
  void aSingleGetFindsDamageAlsoInWhatIsInMemory() throws Exception {
    byte[] content = new byte[50_000];
    new Random(1).nextBytes(content);
    ContentHash hash = ContentHash.ofContent(content);
    try (TestServer server = new TestServer(open(), config -> config);
        TestClient client = server.client()) {
      assertThat(client.put(offer(List.of(content)), content)).allMatch(Receipt::here);
      assertThat(client.ask("GET /v1/blobs/" + hash.toHex()).status()).isEqualTo(200);
      flipAByteOfTheOnlySegment();
      assertThat(client.ask("GET /v1/blobs/" + hash.toHex()).status()).isEqualTo(404);
      assertThat(client.put(offer(List.of(content)), content)).allMatch(Receipt::here);
      assertThat(client.ask("GET /v1/blobs/" + hash.toHex()).status()).isEqualTo(200);
    }
  }

  private void flipAByteOfTheOnlySegment() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      Path segment = files.filter(file -> file.toString().endsWith(".seg")).findAny().orElseThrow();
      try (FileChannel channel =
          FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        // A header of the segment, a header of the record, then the blob.
        long middle = 64 + 64 + 25_000;
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(channel.read(one, middle)).isEqualTo(1);
        one.put(0, (byte) ~one.get(0)).rewind();
        assertThat(channel.write(one, middle)).isEqualTo(1);
      }
    }
  }

  private BlobStore open() throws IOException {
    return SsdBlobStore.open(SsdStoreConfig.of(List.of(folder), 256 << 20), RecoveryProgress.NONE);
  }

  private static OfferFrame offer(List<byte[]> contents) {
    SpaceId space = new SpaceId("ssd");
    return new OfferFrame(
        contents.stream().map(c -> new Offer(ContentHash.ofContent(c), space, c.length)).toList());
  }
}
