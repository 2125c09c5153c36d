package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.gateway.s3.payload.Crc64Nvme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Uploads that somebody changed on the way: they are refused, and nothing of them is kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TamperedPayloadsTest {
  private static final byte[] BYTES = random(300_000);

  private GatewayScene scene;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    scene = GatewayScene.start(folder);
  }

  @AfterAll
  void close() throws IOException {
    scene.close();
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  private SignedUpload signed(String path, boolean chunks, String... fields) throws IOException {
    return SignedUpload.of(scene.gateway.uri(), path, BYTES, chunks, fields);
  }

  private String send(SignedUpload upload) throws IOException {
    return upload.send(scene.gateway.uri());
  }

  private String send(SignedUpload upload, byte[] body) throws IOException {
    return upload.send(scene.gateway.uri(), body);
  }

  private void assertRefused(String answer, String code, String key) {
    assertThat(answer).startsWith("HTTP/1.1 4").contains("<Code>" + code + "</Code>");
    assertThat(
            scene
                .upstream
                .client()
                .listObjectsV2(r -> r.bucket(UpstreamS3.BUCKET).prefix("root/"))
                .contents())
        .extracting("key")
        .doesNotContain("root/" + key);
    assertThat(scene.folder.resolve(key)).doesNotExist();
    assertThat(scene.folder).isEmptyDirectory();
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] changed = bytes.clone();
    changed[at] ^= 1;
    return changed;
  }

  @Test
  void chunksAsTheyWereSignedAreStored() throws IOException {
    assertThat(send(signed("data/good", true))).startsWith("HTTP/1.1 200");
    assertThat(scene.client().getObjectAsBytes(r -> r.bucket("data").key("good")).asByteArray())
        .isEqualTo(BYTES);
  }

  @Test
  void aChangedByteInAnyChunkLeavesNoObject() throws IOException {
    for (String bucket : new String[] {"data", "files"}) {
      SignedUpload upload = signed(bucket + "/bad", true);
      for (int at : new int[] {500, 140_000, upload.body().length - 200}) {
        assertRefused(send(upload, flipped(upload.body(), at)), "SignatureDoesNotMatch", "bad");
      }
    }
  }

  @Test
  void chunksInAnotherOrderOrCutShortLeaveNoObject() throws IOException {
    SignedUpload upload = signed("data/moved", true);
    byte[] body = upload.body();
    int chunk = new String(body, StandardCharsets.ISO_8859_1).indexOf("\r\n20000;", 1) + 2;
    byte[] swapped = body.clone();
    System.arraycopy(body, chunk, swapped, 0, chunk);
    System.arraycopy(body, 0, swapped, chunk, chunk);
    assertRefused(send(upload, swapped), "SignatureDoesNotMatch", "moved");
    assertRefused(send(upload, Arrays.copyOf(body, body.length - 100)), "IncompleteBody", "moved");
    assertRefused(send(upload, Arrays.copyOf(body, chunk)), "IncompleteBody", "moved");
  }

  @Test
  void wordsThatAreNoChunksAreRefused() throws IOException {
    SignedUpload upload = signed("data/framed", true);
    String text = new String(upload.body(), StandardCharsets.ISO_8859_1);
    String[] broken = {
      text.replaceFirst("20000;", "20001;"),
      text.replaceFirst("20000;", "zzzzz;"),
      text.replaceFirst("20000;", "fffff;"),
      text.replaceFirst(";chunk-signature=", ";other-signature="),
      text.replaceFirst("\r\n", "\n\n"),
    };
    for (String body : broken) {
      String answer = send(upload, body.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(answer).startsWith("HTTP/1.1 4");
      assertThat(answer).containsAnyOf("InvalidRequest", "IncompleteBody", "SignatureDoesNot");
    }
    assertRefused(send(upload, new byte[upload.body().length]), "InvalidRequest", "framed");
  }

  @Test
  void aPayloadThatIsNotTheSignedOneLeavesNoObject() throws IOException {
    for (String bucket : new String[] {"data", "files"}) {
      SignedUpload upload = signed(bucket + "/hashed", false);
      assertRefused(
          send(upload, flipped(upload.body(), BYTES.length - 1)),
          "XAmzContentSHA256Mismatch",
          "hashed");
      assertRefused(
          send(upload, Arrays.copyOf(BYTES, BYTES.length - 1)), "IncompleteBody", "hashed");
    }
  }

  @Test
  void statedChecksumsCount() throws IOException {
    assertRefused(
        send(signed("data/sum", false, "Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")),
        "BadDigest",
        "sum");
    assertRefused(
        send(signed("data/sum", false, "x-amz-checksum-crc32c", "AAAAAA==")), "BadDigest", "sum");
    assertRefused(
        send(signed("data/sum", false, "x-amz-checksum-crc64nvme", "AAAAAAAAAAA=")),
        "BadDigest",
        "sum");
    assertRefused(
        send(signed("data/sum", false, "Content-MD5", "nonsense")), "InvalidDigest", "sum");
  }

  @Test
  void aSignatureIsGoodForItsOwnRequestOnly() throws IOException {
    SignedUpload upload = signed("data/one", false);
    assertRefused(
        send(upload.withHead(upload.head().replace("/data/one", "/data/two"))),
        "SignatureDoesNotMatch",
        "two");
    assertRefused(
        send(upload.withHead(upload.head().replace("PUT ", "POST "))),
        "SignatureDoesNotMatch",
        "one");
    assertRefused(
        send(upload.withHead(upload.head().replace("Connection: close", "x-amz-acl: public-read"))),
        "AccessDenied",
        "one");
  }

  @Test
  void aReplayedUploadStoresTheSameBytesOrNothingAndOnlyForAQuarterOfAnHour() throws IOException {
    SignedUpload upload = signed("data/replayed", true);
    assertThat(send(upload)).startsWith("HTTP/1.1 200");
    assertThat(send(upload)).startsWith("HTTP/1.1 200");
    assertThat(send(upload, flipped(upload.body(), 1_000)))
        .contains("<Code>SignatureDoesNotMatch</Code>");
    InstantSource later = () -> Instant.now().plus(Duration.ofMinutes(16));
    try (S3Gateway other =
        scene.startGateway(UnaryOperator.identity(), GatewayScene.ownKey(), later)) {
      assertThat(upload.send(other.uri())).contains("<Code>RequestTimeTooSkewed</Code>");
    }
    assertThat(scene.client().getObjectAsBytes(r -> r.bucket("data").key("replayed")).asByteArray())
        .isEqualTo(BYTES);
  }

  @Test
  void theChecksumOfTheCommandLineIsCountedRight() {
    Crc64Nvme sum = new Crc64Nvme();
    sum.update("123456789".getBytes(StandardCharsets.US_ASCII), 0, 9);
    assertThat(sum.getValue()).isEqualTo(0xae8b14860a799888L);
    Crc64Nvme pieces = new Crc64Nvme();
    Crc64Nvme whole = new Crc64Nvme();
    whole.update(BYTES, 0, BYTES.length);
    for (byte one : BYTES) {
      pieces.update(one);
    }
    assertThat(pieces.getValue()).isEqualTo(whole.getValue());
  }
}
