package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.s3.signature.AccessKey;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.http.ReloadedFiles;
import io.quiver.remote.Secret;
import io.quiver.testkit.Await;
import io.quiver.testkit.LogCapture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Callers that are let in, and those that are not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SignatureTest {
  private static final byte[] TEXT = "secret text".getBytes(StandardCharsets.UTF_8);

  private final HttpClient http = HttpClient.newHttpClient();
  private GatewayScene scene;
  private Path folder;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    this.folder = folder;
    scene = GatewayScene.start(folder);
    scene.put("a/object", TEXT);
    scene.put("b/object", TEXT);
  }

  @AfterAll
  void close() throws IOException {
    http.close();
    scene.close();
  }

  private static String code(Runnable call) {
    try {
      call.run();
      return "";
    } catch (S3Exception e) {
      return e.awsErrorDetails().errorCode();
    }
  }

  private static Runnable get(S3Client client, String key) {
    return () -> client.getObjectAsBytes(r -> r.bucket("data").key(key));
  }

  private HttpResponse<String> send(URI uri, String... fields) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (fields.length > 0) {
      request.headers(fields);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void strangersAreTurnedAway() throws Exception {
    assertThat(code(get(scene.client("AKIDOTHER", GatewayScene.SECRET), "a/object")))
        .isEqualTo("InvalidAccessKeyId");
    assertThat(code(get(scene.client(GatewayScene.KEY, "a-wrong-secret-of-theirs"), "a/object")))
        .isEqualTo("SignatureDoesNotMatch");
    HttpResponse<String> unsigned = send(scene.uri("/data/a/object"));
    assertThat(unsigned.statusCode()).isEqualTo(403);
    assertThat(unsigned.body()).contains("<Code>AccessDenied</Code>").doesNotContain("secret");
    assertThat(send(scene.uri("/data/a/object"), "Authorization", "AWS AKID:sig").body())
        .contains("InvalidRequest")
        .contains("AWS4-HMAC-SHA256");
    assertThat(send(scene.uri("/data/a/object?AWSAccessKeyId=a&Signature=b&Expires=1")).body())
        .contains("InvalidRequest");
    assertThat(
            send(scene.uri("/data/a/object"), "Authorization", "AWS4-HMAC-SHA256 Nonsense").body())
        .contains("AuthorizationHeaderMalformed");
  }

  @Test
  void presignedAddressesNeedNothingElse() throws Exception {
    URI uri = presigned(Duration.ofMinutes(5));
    assertThat(send(uri).body()).isEqualTo("secret text");
    assertThat(send(uri, "Range", "bytes=0-5").body()).isEqualTo("secret");
    String text = uri.toString();
    assertThat(send(URI.create(text.replace("a/object", "b/object"))).body())
        .contains("SignatureDoesNotMatch");
    assertThat(send(URI.create(text.replace("X-Amz-Expires=300", "X-Amz-Expires=301"))).body())
        .contains("SignatureDoesNotMatch");
    assertThat(send(URI.create(text + "&response-content-type=text/html")).body())
        .contains("SignatureDoesNotMatch");
    assertThat(send(URI.create(text.replace("X-Amz-Expires=300", "X-Amz-Expires=604801"))).body())
        .contains("AuthorizationQueryParametersError");
    assertThat(send(uri, "x-amz-meta-added", "later").body()).contains("AccessDenied");
    HttpRequest put =
        HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.ofString("x")).build();
    assertThat(http.send(put, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(403);
  }

  @Test
  void presignedAddressesStoreObjectsToo() throws Exception {
    S3Presigner presigner = scene.presigner();
    var signed =
        presigner.presignPutObject(r ->
            r.signatureDuration(Duration.ofMinutes(1))
                .putObjectRequest(p -> p.bucket("data").key("from browser")));
    HttpRequest put =
        HttpRequest.newBuilder(signed.url().toURI())
            .PUT(HttpRequest.BodyPublishers.ofString("uploaded"))
            .build();
    assertThat(http.send(put, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(
            scene
                .client()
                .getObjectAsBytes(r -> r.bucket("data").key("from browser"))
                .asUtf8String())
        .isEqualTo("uploaded");
  }

  private URI presigned(Duration expiry) throws Exception {
    return scene
        .presigner()
        .presignGetObject(r ->
            r.signatureDuration(expiry).getObjectRequest(g -> g.bucket("data").key("a/object")))
        .url()
        .toURI();
  }

  /** Starts an endpoint whose clock is off by this. */
  private S3Gateway at(Duration offset) throws IOException {
    InstantSource clock = () -> Instant.now().plus(offset);
    return scene.startGateway(UnaryOperator.identity(), GatewayScene.ownKey(), clock);
  }

  @Test
  void signaturesAreGoodForAQuarterOfAnHour() throws Exception {
    for (Duration offset : List.of(Duration.ofMinutes(16), Duration.ofMinutes(-16))) {
      try (S3Gateway other = at(offset);
          S3Client client =
              scene
                  .builder(GatewayScene.KEY, GatewayScene.SECRET)
                  .endpointOverride(other.uri())
                  .overrideConfiguration(o -> o.retryStrategy(b -> b.maxAttempts(1)))
                  .build()) {
        assertThat(code(get(client, "a/object"))).isEqualTo("RequestTimeTooSkewed");
      }
    }
    try (S3Gateway other = at(Duration.ofMinutes(14));
        S3Client client =
            scene
                .builder(GatewayScene.KEY, GatewayScene.SECRET)
                .endpointOverride(other.uri())
                .build()) {
      assertThat(code(get(client, "a/object"))).isEmpty();
    }
  }

  @Test
  void presignedAddressesExpire() throws Exception {
    URI uri = presigned(Duration.ofMinutes(5));
    for (Duration offset : List.of(Duration.ofMinutes(6), Duration.ofMinutes(-16))) {
      try (S3Gateway other = at(offset)) {
        // Signed for the other endpoint's port, which the signature covers.
        HttpResponse<String> answer = sendAs(uri, other.uri());
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body())
            .contains(offset.isNegative() ? "Request is not yet valid" : "Request has expired");
      }
    }
  }

  private HttpResponse<String> sendAs(URI signed, URI endpoint) throws Exception {
    return send(
        URI.create(
            endpoint.getScheme()
                + "://"
                + endpoint.getAuthority()
                + signed.getRawPath()
                + "?"
                + signed.getRawQuery()));
  }

  private static AccessKeys keys(Path file, String... lines) throws IOException {
    write(file, lines);
    return AccessKeys.of(file);
  }

  private static void write(Path file, String... lines) throws IOException {
    Files.write(file, List.of(lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aKeyMayDoWhatItsGrantsSayAndNothingElse() throws Exception {
    AccessKeys keys =
        keys(
            folder.resolve("grants"),
            "# readers",
            "AKIDREADER the-secret-of-the-reader reader - read:data/a/",
            "AKIDWRITER the-secret-of-the-writer writer - write:data/c%20d/ read:files");
    try (S3Gateway other =
            scene.startGateway(UnaryOperator.identity(), keys, InstantSource.system());
        S3Client reader =
            scene
                .builder("AKIDREADER", "the-secret-of-the-reader")
                .endpointOverride(other.uri())
                .build();
        S3Client writer =
            scene
                .builder("AKIDWRITER", "the-secret-of-the-writer")
                .endpointOverride(other.uri())
                .build()) {
      assertThat(code(get(reader, "a/object"))).isEmpty();
      assertThat(code(get(reader, "b/object"))).isEqualTo("AccessDenied");
      assertThat(code(get(reader, "a"))).isEqualTo("AccessDenied");
      assertThat(code(() -> reader.listObjectsV2(r -> r.bucket("data").prefix("a/")))).isEmpty();
      assertThat(code(() -> reader.listObjectsV2(r -> r.bucket("data")))).isEqualTo("AccessDenied");
      assertThat(code(() -> reader.listObjectsV2(r -> r.bucket("files"))))
          .isEqualTo("AccessDenied");
      assertThat(code(() -> put(reader, "a/new"))).isEqualTo("AccessDenied");
      assertThat(code(() -> reader.deleteObject(r -> r.bucket("data").key("a/object"))))
          .isEqualTo("AccessDenied");
      assertThat(reader.listBuckets().buckets()).extracting("name").containsExactly("data");
      assertThat(code(() -> put(writer, "c d/new"))).isEmpty();
      assertThat(code(get(writer, "c d/new"))).isEqualTo("AccessDenied");
      assertThat(code(() -> put(writer, "c/new"))).isEqualTo("AccessDenied");
      assertThat(
              code(() ->
                  writer.copyObject(r ->
                      r.sourceBucket("data")
                          .sourceKey("a/object")
                          .destinationBucket("data")
                          .destinationKey("c d/stolen"))))
          .isEqualTo("AccessDenied");
      assertThat(
              writer
                  .deleteObjects(r ->
                      r.bucket("data")
                          .delete(d ->
                              d.objects(
                                  List.of(ObjectIdentifier.builder().key("a/object").build()))))
                  .errors())
          .extracting("code")
          .containsExactly("AccessDenied");
    }
  }

  private static void put(S3Client client, String key) {
    client.putObject(r -> r.bucket("data").key(key), RequestBody.fromString("x"));
  }

  @Test
  void theFileOfKeysIsCheckedAndNeverQuoted() throws IOException {
    Path file = folder.resolve("keys");
    keys(file, "AKIDONE secret-of-one-is-long one - read:data");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> AccessKeys.of(file))
        .hasMessageContaining("open to every user")
        .hasMessageContaining("chmod 600");
    Map<String, String> broken =
        Map.of(
            "AKIDONE hidden-secret-of-one one -", "at least five words",
            "AKIDONE hidden one - read:data", "less than 16",
            "AKIDONE hidden-secret-of-one one - fly:data", "is no grant",
            "AKIDONE hidden-secret-of-one one - read:da/ta read:b?d", "is no grant",
            "AKID/ONE hidden-secret-of-one one - read:data", "3 to 128");
    broken.forEach((line, message) ->
        assertThatThrownBy(() -> keys(file, line))
            .hasMessageContaining(message)
            .hasMessageContaining("line 1")
            .message()
            .doesNotContain("hidden"));
  }

  @Test
  void keysComeAndGoWithTheirFileWithoutARestart() throws Exception {
    Path file = folder.resolve("changing");
    String one = "AKIDONE secret-of-one-is-long one - read:data";
    String two = "AKIDTWO secret-of-two-is-long two - read:data";
    try (S3Gateway other =
            scene.startGateway(UnaryOperator.identity(), keys(file, one), InstantSource.system());
        S3Client first = impatient("AKIDONE", "secret-of-one-is-long", other);
        S3Client second = impatient("AKIDTWO", "secret-of-two-is-long", other)) {
      assertThat(code(get(first, "a/object"))).isEmpty();
      assertThat(code(get(second, "a/object"))).isEqualTo("InvalidAccessKeyId");
      replace(file, one, two);
      Await.until("the second key is known", () -> code(get(second, "a/object")).isEmpty());
      assertThat(code(get(first, "a/object"))).isEmpty();
      replace(file, two);
      Await.until(
          "the first key is gone", () -> code(get(first, "a/object")).equals("InvalidAccessKeyId"));
      assertThat(code(get(second, "a/object"))).isEmpty();
      try (LogCapture log = LogCapture.warnings(ReloadedFiles.class)) {
        replace(file, one, "AKIDTHREE too-short three - read:data");
        Await.until(
            "the broken file was looked at",
            () -> code(get(second, "a/object")).isEmpty() && !log.messages().isEmpty());
        assertThat(log.messages().getFirst()).contains("line 2").doesNotContain("too-short");
      }
      assertThat(code(get(first, "a/object"))).isEqualTo("InvalidAccessKeyId");
    }
  }

  private S3Client impatient(String key, String secret, S3Gateway endpoint) {
    return scene
        .builder(key, secret)
        .endpointOverride(endpoint.uri())
        .overrideConfiguration(o -> o.retryStrategy(b -> b.maxAttempts(1)))
        .build();
  }

  /** Puts another file in the place of one, as editors and deployments do. */
  private static void replace(Path file, String... lines) throws IOException {
    Path next = file.resolveSibling("next");
    Files.deleteIfExists(next);
    write(next, lines);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void withoutSignaturesEverybodyReadsAndNobodyWrites() throws Exception {
    try (S3Gateway open =
        scene.startGateway(
            UnaryOperator.identity(), AccessKeys.anonymous(), InstantSource.system())) {
      URI uri = open.uri().resolve("/data/a/object");
      assertThat(send(uri).body()).isEqualTo("secret text");
      assertThat(send(URI.create(uri + "?response-content-type=text/html")).body())
          .contains("InvalidRequest");
      HttpRequest delete = HttpRequest.newBuilder(uri).DELETE().build();
      assertThat(http.send(delete, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(403);
      // A request that a page of another site may have sent is refused even so.
      assertThat(send(uri, "Origin", "https://evil.example").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void generatedKeysWorkAndDiffer() {
    AccessKeys.KeyPair one = AccessKeys.KeyPair.generate();
    AccessKeys.KeyPair two = AccessKeys.KeyPair.generate();
    assertThat(one.accessKey()).matches("QUIVER[A-Z]{10}").isNotEqualTo(two.accessKey());
    assertThat(one.secretKey().reveal()).hasSize(40).isNotEqualTo(two.secretKey().reveal());
    assertThat(one.toString()).doesNotContain(one.secretKey().reveal());
    assertThat(AccessKeys.of(one).find(one.accessKey()))
        .isNotNull()
        .extracting(AccessKey::secret)
        .isEqualTo(Secret.of(one.secretKey().reveal()));
  }
}
