package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.PartsFrame;
import io.quiver.protocol.PartsFrame.Part;
import io.quiver.protocol.Wire;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.TestClient.Blobs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The second form of a batch get: parts of blobs. */
class PartCallsTest {
  private static final int MOST = 100_000;

  private TestServer server;
  private TestClient client;

  @BeforeEach
  void start() throws IOException {
    server =
        new TestServer(
            config -> config.withMaxResponseBytes(MOST).withMaxBlobBytes(TestServer.MAX_BLOB));
    client = server.client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.assertHealthyAndEmpty();
    server.close();
  }

  @Test
  void everyPartHasItsBytesItsLengthAndItsChecksum() throws Exception {
    byte[] first = server.stored(new Random(1), 20_000);
    byte[] second = server.stored(new Random(2), 5);
    List<Part> parts =
        List.of(
            part(first, 0, 1),
            part(first, 19_999, 1),
            part(second, 0, 5),
            part(first, 0, 20_000),
            part(first, 7, 1234),
            part(second, 4, 1),
            part(first, 7, 1234));
    Blobs blobs = parts(parts);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < parts.size(); i++) {
      byte[] content = i == 2 || i == 5 ? second : first;
      int offset = (int) parts.get(i).offset();
      byte[] part = Arrays.copyOfRange(content, offset, offset + parts.get(i).length());
      expected.writeBytes(part);
      assertThat(blobs.frame().status(i)).isEqualTo(AskStatus.HIT);
      assertThat(blobs.frame().length(i)).isEqualTo(part.length);
      assertThat(blobs.frame().crc32c(i)).as("part %d", i).isEqualTo(crc(part));
    }
    assertThat(blobs.payload()).isEqualTo(expected.toByteArray());
    assertThat(server.metricsText())
        .contains("quiver_hits_total 7")
        .contains("quiver_hit_bytes_total " + expected.size());
  }

  @Test
  void partsPastTheEndAndOfBlobsThatAreNotHereAreMisses() throws Exception {
    byte[] content = server.stored(new Random(1), 100);
    byte[] empty = server.stored(new Random(2), 0);
    byte[] absent = new byte[] {1};
    List<Part> parts =
        List.of(
            part(content, 0, 101),
            part(content, 99, 2),
            part(content, 100, 1),
            part(content, Long.MAX_VALUE, Integer.MAX_VALUE),
            part(content, 0, Integer.MAX_VALUE),
            part(empty, 0, 1),
            part(absent, 0, 1),
            part(content, 99, 1));
    Blobs blobs = parts(parts);
    for (int i = 0; i < 7; i++) {
      assertThat(blobs.frame().status(i)).as("part %d", i).isEqualTo(AskStatus.MISS);
      assertThat(blobs.frame().length(i)).isZero();
    }
    assertThat(blobs.frame().status(7)).isEqualTo(AskStatus.HIT);
    assertThat(blobs.payload()).containsExactly(content[99]);
  }

  @Test
  void anAnswerIsBoundedHoweverOftenOneBlobIsAskedFor() throws Exception {
    byte[] content = server.stored(new Random(1), 60_000);
    Blobs blobs = parts(Collections.nCopies(Wire.MAX_BATCH, part(content, 10, 40_000)));
    assertThat(blobs.payload()).hasSize(80_000);
    assertThat(blobs.frame().status(1)).isEqualTo(AskStatus.HIT);
    for (int i = 2; i < Wire.MAX_BATCH; i++) {
      assertThat(blobs.frame().status(i)).isEqualTo(AskStatus.DEFERRED);
    }
  }

  @Test
  void partsOfABlobLongerThanAnAnswerAreAnswered() throws Exception {
    byte[] content = server.stored(new Random(1), (int) TestServer.MAX_BLOB);
    Blobs blobs = parts(List.of(part(content, 3_000_000, 1000), part(content, 0, 200_000)));
    assertThat(blobs.frame().status(0)).isEqualTo(AskStatus.HIT);
    assertThat(blobs.frame().status(1)).isEqualTo(AskStatus.DEFERRED);
    assertThat(blobs.payload()).isEqualTo(Arrays.copyOfRange(content, 3_000_000, 3_001_000));
    assertThat(parts(List.of(part(content, 0, 200_000))).payload()).hasSize(200_000);
  }

  @Test
  void whatDoesNotFitIsDeferredAndComesWhenAskedForAgain() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      contents.add(server.stored(new Random(i), 40_000));
    }
    List<Part> open =
        new ArrayList<>(contents.stream().map(each -> part(each, 1, 30_000)).toList());
    int rounds = 0;
    while (!open.isEmpty()) {
      Blobs blobs = parts(open);
      assertThat(blobs.frame().status(0)).isEqualTo(AskStatus.HIT);
      for (int i = open.size() - 1; i >= 0; i--) {
        if (blobs.frame().status(i) == AskStatus.HIT) {
          open.remove(i);
        }
      }
      rounds++;
    }
    assertThat(rounds).isEqualTo(3);
  }

  @Test
  void partsOfNoBytesAreRefused() throws Exception {
    PartsFrame right = new PartsFrame(List.of(part(new byte[1], 0, 1)));
    byte[] frame = bytes(right);
    frame[16 + 40] = 0;
    Answer answer = client.ask("POST " + Wire.GET_PATH, "", frame);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("a part of 0 bytes");
  }

  @Test
  void randomBytesNeverBreakTheCall() throws Exception {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] content = server.stored(random, 3000);
    byte[] right = bytes(new PartsFrame(Collections.nCopies(4, part(content, 100, 500))));
    for (int round = 0; round < 2000; round++) {
      byte[] frame = right.clone();
      for (int i = random.nextInt(5); i >= 0; i--) {
        frame[4 + random.nextInt(frame.length - 4)] = (byte) random.nextInt();
      }
      Answer answer = client.ask("POST " + Wire.GET_PATH, "", frame);
      assertThat(answer.status()).as("seed %d, round %d", seed, round).isIn(200, 400);
    }
    assertThat(parts(List.of(part(content, 0, 3000))).payload()).isEqualTo(content);
  }

  private Blobs parts(List<Part> parts) throws Exception {
    Answer answer = client.ask("POST " + Wire.GET_PATH, "", bytes(new PartsFrame(parts)));
    return TestClient.blobs(answer, parts.size());
  }

  private static Part part(byte[] content, long offset, int length) {
    return new Part(ContentHash.ofContent(content), offset, length);
  }

  private static byte[] bytes(PartsFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
