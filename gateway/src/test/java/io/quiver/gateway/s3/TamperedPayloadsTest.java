package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.gateway.s3.payload.Crc64Nvme;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

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

  /** A request that the SDK's signer made, as bytes on the wire. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Upload(String head, byte[] body) {}

  private Upload signed(String key, boolean chunks, String... fields) throws IOException {
    URI uri = scene.gateway.uri();
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.PUT)
            .uri(uri)
            .encodedPath("/" + key)
            .putHeader("Host", uri.getAuthority())
            .putHeader("Content-Length", Integer.toString(BYTES.length));
    for (int i = 0; i < fields.length; i += 2) {
      request.putHeader(fields[i], fields[i + 1]);
    }
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(r ->
                r.identity(AwsCredentialsIdentity.create(GatewayScene.KEY, GatewayScene.SECRET))
                    .request(request.build())
                    .payload(ContentStreamProvider.fromByteArray(BYTES))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true)
                    .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, chunks));
    StringBuilder head = new StringBuilder("PUT /" + key + " HTTP/1.1\r\n");
    signed
        .request()
        .headers()
        .forEach((name, values) ->
            head.append(name).append(": ").append(values.getFirst()).append("\r\n"));
    try (InputStream body = signed.payload().orElseThrow().newStream()) {
      return new Upload(head + "Connection: close\r\n\r\n", body.readAllBytes());
    }
  }

  private String send(Upload upload) throws IOException {
    return send(upload, upload.body());
  }

  /** Sends a head with this body and returns the whole answer. */
  private String send(Upload upload, byte[] body) throws IOException {
    URI uri = scene.gateway.uri();
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(upload.head().getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
      socket.shutdownOutput();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      return answer.toString(StandardCharsets.UTF_8);
    }
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
      Upload upload = signed(bucket + "/bad", true);
      for (int at : new int[] {500, 140_000, upload.body().length - 200}) {
        assertRefused(send(upload, flipped(upload.body(), at)), "SignatureDoesNotMatch", "bad");
      }
    }
  }

  @Test
  void chunksInAnotherOrderOrCutShortLeaveNoObject() throws IOException {
    Upload upload = signed("data/moved", true);
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
    Upload upload = signed("data/framed", true);
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
      Upload upload = signed(bucket + "/hashed", false);
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
    Upload upload = signed("data/one", false);
    assertRefused(
        send(new Upload(upload.head().replace("/data/one", "/data/two"), upload.body())),
        "SignatureDoesNotMatch",
        "two");
    assertRefused(
        send(new Upload(upload.head().replace("PUT ", "POST "), upload.body())),
        "SignatureDoesNotMatch",
        "one");
    assertRefused(
        send(
            new Upload(
                upload.head().replace("Connection: close", "x-amz-acl: public-read"),
                upload.body())),
        "AccessDenied",
        "one");
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
