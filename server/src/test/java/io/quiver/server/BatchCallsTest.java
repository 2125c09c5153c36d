package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.TestClient.Blobs;
import io.quiver.store.memory.MemoryBlobStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class BatchCallsTest extends RunningServerTest {
  private static final SpaceId SPACE = new SpaceId("chunk-1");

  private final long seed = Long.getLong("quiver.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void getSendsTheHitsInOrderWithTheirChecksums() throws Exception {
    byte[] small = server.stored(random, 3_000);
    byte[] empty = server.stored(random, 0);
    byte[] large = server.stored(random, 150_000);
    Blobs blobs = client.get(List.of(hash(small), unknown(), hash(empty), hash(large)), 4);
    assertThat(statuses(blobs))
        .containsExactly(AskStatus.HIT, AskStatus.MISS, AskStatus.HIT, AskStatus.HIT);
    assertThat(blobs.payload()).isEqualTo(join(List.of(small, empty, large)));
    assertThat(blobs.frame().crc32c(0)).isEqualTo(crc(small));
    assertThat(blobs.frame().crc32c(3)).isEqualTo(crc(large));
    assertThat(blobs.answer().field("content-type")).isEqualTo(Wire.FRAME_TYPE);
  }

  @Test
  void anyMixOfSizesArrivesWhole() throws Exception {
    for (int round = 0; round < 20; round++) {
      List<byte[]> contents = new ArrayList<>();
      int count = 1 + random.nextInt(80);
      for (int i = 0; i < count; i++) {
        contents.add(server.stored(random, random.nextInt(1 << random.nextInt(18))));
      }
      Collections.shuffle(contents, random);
      Blobs blobs = client.get(contents.stream().map(BatchCallsTest::hash).toList(), count);
      assertThat(blobs.payload()).as("seed %d", seed).isEqualTo(join(contents));
    }
  }

  @Test
  void getStopsWhenEnoughAreFound() throws Exception {
    byte[] a = server.stored(random, 10);
    byte[] b = server.stored(random, 10);
    byte[] c = server.stored(random, 10);
    Blobs blobs = client.get(List.of(unknown(), hash(a), hash(b), hash(c), unknown()), 2);
    assertThat(statuses(blobs))
        .containsExactly(
            AskStatus.MISS, AskStatus.HIT, AskStatus.HIT, AskStatus.SKIPPED, AskStatus.SKIPPED);
    assertThat(blobs.payload()).isEqualTo(join(List.of(a, b)));
  }

  @Test
  void repeatedHashesAreServedAsOftenAsTheyAreAsked() throws Exception {
    byte[] content = server.stored(random, 20_000);
    Blobs blobs = client.get(Collections.nCopies(5, hash(content)), 5);
    assertThat(blobs.payload()).isEqualTo(join(Collections.nCopies(5, content)));
  }

  @Test
  void theLongestBatchIsAnswered() throws Exception {
    byte[] content = server.stored(random, 100);
    Blobs blobs = client.get(Collections.nCopies(Wire.MAX_BATCH, hash(content)), Wire.MAX_BATCH);
    assertThat(blobs.payload()).isEqualTo(join(Collections.nCopies(Wire.MAX_BATCH, content)));
    assertThat(statuses(client.get(misses(Wire.MAX_BATCH), 1))).containsOnly(AskStatus.MISS);
  }

  @Test
  void anAnswerThatWouldBeTooLongIsCutAndTheRestDeferred() throws Exception {
    try (TestServer small = new TestServer(config -> config.withMaxResponseBytes(100_000));
        TestClient own = small.client()) {
      byte[] a = small.stored(random, 60_000);
      byte[] b = small.stored(random, 60_000);
      byte[] c = small.stored(random, 300_000);
      Blobs first = own.get(List.of(hash(a), hash(b), hash(c)), 3);
      assertThat(statuses(first))
          .containsExactly(AskStatus.HIT, AskStatus.DEFERRED, AskStatus.DEFERRED);
      assertThat(own.get(List.of(hash(c)), 1).payload()).isEqualTo(c);
    }
  }

  @Test
  void lookupTellsWithoutSendingPayloads() throws Exception {
    byte[] content = server.stored(random, 5_000);
    AskFrame ask = new AskFrame(List.of(hash(content), unknown(), hash(content)), 3, false);
    Blobs blobs = client.blobs(Wire.LOOKUP_PATH, ask, "");
    assertThat(statuses(blobs)).containsExactly(AskStatus.HIT, AskStatus.MISS, AskStatus.HIT);
    assertThat(blobs.payload()).isEmpty();
    assertThat(blobs.frame().length(0)).isZero();
    AskFrame one = new AskFrame(List.of(hash(content), unknown()), 1, false);
    assertThat(statuses(client.blobs(Wire.LOOKUP_PATH, one, "")))
        .containsExactly(AskStatus.HIT, AskStatus.SKIPPED);
  }

  @Test
  void putStoresEachBlobAndSaysWhatBecameOfIt() throws Exception {
    byte[] present = server.stored(random, 1_000);
    byte[] fresh = randomBytes(200_000);
    byte[] huge = randomBytes((int) TestServer.MAX_BLOB + 1);
    byte[] empty = {};
    OfferFrame offer =
        new OfferFrame(
            List.of(
                offer(fresh),
                new Offer(unknown(), SPACE, 1_000),
                offer(present),
                offer(huge),
                offer(empty),
                offer(fresh)));
    List<Receipt> receipts =
        client.put(offer, fresh, randomBytes(1_000), present, huge, empty, fresh);
    assertThat(receipts.subList(1, 5))
        .containsExactly(
            Receipt.HASH_MISMATCH, Receipt.ALREADY_HERE, Receipt.TOO_LARGE, Receipt.STORED);
    assertThat(List.of(receipts.get(0), receipts.get(5)))
        .containsExactlyInAnyOrder(Receipt.STORED, Receipt.ALREADY_HERE);
    assertThat(client.get(List.of(hash(fresh), hash(empty)), 2).payload()).isEqualTo(fresh);
  }

  @Test
  void manyMegabytesArriveThroughOneBatch() throws Exception {
    List<byte[]> contents =
        IntStream.range(0, 60).mapToObj(i -> randomBytes(random.nextInt(400_000))).toList();
    OfferFrame offer = new OfferFrame(contents.stream().map(BatchCallsTest::offer).toList());
    List<Receipt> receipts = client.put(offer, contents.toArray(byte[][]::new));
    assertThat(receipts).as("seed %d", seed).containsOnly(Receipt.STORED);
    Blobs blobs = client.get(contents.stream().map(BatchCallsTest::hash).toList(), 60);
    assertThat(blobs.payload()).as("seed %d", seed).isEqualTo(join(contents));
  }

  @Test
  void aBlobThatDoesNotFitIsRefusedAndOthersAreNot() throws Exception {
    try (TestServer full = new TestServer(new MemoryBlobStore(1_000, 4 << 20), config -> config);
        TestClient own = full.client()) {
      byte[] large = randomBytes(2_000);
      byte[] small = randomBytes(500);
      OfferFrame offer = new OfferFrame(List.of(offer(large), offer(small)));
      assertThat(own.put(offer, large, small)).containsExactly(Receipt.NO_ROOM, Receipt.STORED);
    }
  }

  @Test
  void chunkedBodiesAreTakenEverywhere() throws Exception {
    byte[] content = randomBytes(70_000);
    OfferFrame offer = new OfferFrame(List.of(offer(content), offer(new byte[0])));
    Answer put = chunked("PUT /v1/blobs", TestClient.bytes(offer, content, new byte[0]));
    assertThat(ReceiptFrame.parse(ByteBuffer.wrap(put.body()), 2).receipts())
        .containsExactly(Receipt.STORED, Receipt.STORED);
    AskFrame ask = new AskFrame(List.of(hash(content)), 1, false);
    Answer get = chunked("POST /v1/blobs/get", TestClient.bytes(ask));
    assertThat(TestClient.blobs(get, 1).payload()).isEqualTo(content);
    byte[] tail = Arrays.copyOf(TestClient.bytes(offer, content), 80_000);
    assertThat(chunked("PUT /v1/blobs", tail).text()).contains("belong to no blob");
  }

  @Test
  void malformedFramesAreRefusedAndTheConnectionGoesOn() throws Exception {
    byte[] ask = TestClient.bytes(new AskFrame(List.of(unknown(), unknown()), 2, false));
    for (int length = 1; length < ask.length; length++) {
      Answer answer = client.ask("POST /v1/blobs/get", "", Arrays.copyOf(ask, length));
      assertThat(answer.status()).as("cut at %d", length).isEqualTo(400);
      assertThat(answer.text()).contains("\"error\":\"question").contains("\"remedy\"");
    }
    byte[] content = randomBytes(20);
    byte[] put = TestClient.bytes(new OfferFrame(List.of(offer(content))), content);
    for (int length = 1; length < put.length; length++) {
      try (TestClient own = server.client()) {
        Answer answer = own.ask("PUT /v1/blobs", "", Arrays.copyOf(put, length));
        assertThat(answer.status()).as("cut at %d", length).isEqualTo(400);
      }
    }
    assertThat(client.ask("GET /healthz").status()).isEqualTo(200);
  }

  @Test
  void anOverlongQuestionIsRefusedWithoutBeingRead() throws Exception {
    String line = "POST /v1/blobs/get HTTP/1.1\r\nHost: t\r\nContent-Length: ";
    Answer answer = client.send(line + (GetFrame.MAX_BYTES + 1) + "\r\n\r\n").answer();
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.field("connection")).isEqualTo("close");
  }

  private Answer chunked(String line, byte[] body) throws Exception {
    return client
        .send(line + " HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
        .send(TestClient.chunked(body, 1 + random.nextInt(9_000)))
        .answer();
  }

  private static List<AskStatus> statuses(Blobs blobs) {
    return IntStream.range(0, blobs.frame().count()).mapToObj(blobs.frame()::status).toList();
  }

  private List<ContentHash> misses(int count) {
    return IntStream.range(0, count).mapToObj(i -> unknown()).toList();
  }

  private ContentHash unknown() {
    return ContentHash.of(randomBytes(ContentHash.BYTES));
  }

  private byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Offer offer(byte[] content) {
    return new Offer(hash(content), SPACE, content.length);
  }

  private static ContentHash hash(byte[] content) {
    return ContentHash.ofContent(content);
  }

  private static int crc(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }

  private static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    parts.forEach(joined::writeBytes);
    return joined.toByteArray();
  }
}
