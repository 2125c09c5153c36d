package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects written by the AWS SDK, seen through the endpoint and behind it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WritesTest {
  private static final int PART = 5 << 20;

  private GatewayScene scene;
  private S3Client client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    scene = GatewayScene.start(folder);
    client = scene.client();
  }

  @AfterAll
  void close() throws IOException {
    scene.close();
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private byte[] read(String bucket, String key) {
    return client.getObjectAsBytes(r -> r.bucket(bucket).key(key)).asByteArray();
  }

  private byte[] behind(String key) {
    return scene
        .upstream
        .client()
        .getObjectAsBytes(r -> r.bucket(UpstreamS3.BUCKET).key("root/" + key))
        .asByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100_000, 1_000_000})
  void anObjectIsStoredBehindTheEndpointAndVisibleAtOnce(int length) {
    byte[] bytes = random(length);
    PutObjectResponse answer =
        client.putObject(
            r ->
                r.bucket("data")
                    .key("put/" + length)
                    .contentType("image/png")
                    .metadata(Map.of("one", "two")),
            RequestBody.fromBytes(bytes));
    assertThat(behind("put/" + length)).isEqualTo(bytes);
    assertThat(read("data", "put/" + length)).isEqualTo(bytes);
    var head = client.headObject(r -> r.bucket("data").key("put/" + length));
    assertThat(head.eTag()).isEqualTo(answer.eTag());
    assertThat(head.contentType()).isEqualTo("image/png");
    assertThat(head.metadata()).isEqualTo(Map.of("one", "two"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 1_000_000})
  void aFolderTakesObjectsAsFiles(int length) throws IOException {
    byte[] bytes = random(length);
    PutObjectResponse answer =
        client.putObject(
            r -> r.bucket("files").key("a/b c/" + length), RequestBody.fromBytes(bytes));
    assertThat(Files.readAllBytes(scene.folder.resolve("a/b c/" + length))).isEqualTo(bytes);
    assertThat(read("files", "a/b c/" + length)).isEqualTo(bytes);
    assertThat(client.headObject(r -> r.bucket("files").key("a/b c/" + length)).eTag())
        .isEqualTo(answer.eTag());
    client.deleteObject(r -> r.bucket("files").key("a/b c/" + length));
    client.deleteObject(r -> r.bucket("files").key("a/b c/" + length));
    assertThat(scene.folder.resolve("a/b c/" + length)).doesNotExist();
  }

  @Test
  void aFolderRefusesWhatCannotBeAFile() {
    client.putObject(r -> r.bucket("files").key("leaf"), RequestBody.fromString("x"));
    for (String key : List.of("leaf/below", "dir/", "a//b")) {
      assertThatThrownBy(
              () -> client.putObject(r -> r.bucket("files").key(key), RequestBody.fromString("y")))
          .as(key)
          .isInstanceOfSatisfying(
              S3Exception.class,
              e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidArgument"));
    }
    assertThatThrownBy(() -> client.createMultipartUpload(r -> r.bucket("files").key("big")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(405));
    assertThat(client.listObjectsV2(r -> r.bucket("files").prefix("leaf")).contents())
        .extracting("key")
        .containsExactly("leaf");
  }

  @ParameterizedTest
  @EnumSource(
      value = ChecksumAlgorithm.class,
      names = {"CRC32", "CRC32_C", "SHA1", "SHA256"})
  void checksumsOfEveryKindAreVerified(ChecksumAlgorithm algorithm) {
    byte[] bytes = random(300_000);
    String key = "sum/" + algorithm;
    client.putObject(
        r -> r.bucket("data").key(key).checksumAlgorithm(algorithm), RequestBody.fromBytes(bytes));
    assertThat(behind(key)).isEqualTo(bytes);
  }

  @Test
  void payloadsWithoutChunksAreVerifiedToo() {
    byte[] bytes = random(200_000);
    try (S3Client plain =
        scene
            .builder(GatewayScene.KEY, GatewayScene.SECRET)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
            .build()) {
      plain.putObject(r -> r.bucket("data").key("plain"), RequestBody.fromBytes(bytes));
    }
    try (S3Client chunked =
        scene
            .builder(GatewayScene.KEY, GatewayScene.SECRET)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .build()) {
      chunked.putObject(r -> r.bucket("data").key("chunked"), RequestBody.fromBytes(bytes));
    }
    assertThat(behind("plain")).isEqualTo(bytes);
    assertThat(behind("chunked")).isEqualTo(bytes);
  }

  @Test
  void longObjectsStreamThrough() throws IOException {
    byte[] bytes = random(40 << 20);
    try (InputStream stream = new ByteArrayInputStream(bytes)) {
      client.putObject(
          r -> r.bucket("data").key("long"), RequestBody.fromInputStream(stream, bytes.length));
    }
    assertThat(read("data", "long")).isEqualTo(bytes);
  }

  @Test
  void deletedObjectsAreGoneAtOnce() {
    scene.put("gone", random(3));
    assertThat(read("data", "gone")).hasSize(3);
    client.deleteObject(r -> r.bucket("data").key("gone"));
    assertThatThrownBy(() -> read("data", "gone")).isInstanceOf(NoSuchKeyException.class);
    client.deleteObject(r -> r.bucket("data").key("never-there"));
  }

  @Test
  void severalObjectsAreDeletedAtOnceEachWithItsOutcome() {
    scene.put("many/1", random(1));
    scene.put("many/<2>&", random(2));
    DeleteObjectsResponse answer =
        client.deleteObjects(r ->
            r.bucket("data")
                .delete(d ->
                    d.objects(
                        List.of(
                            ObjectIdentifier.builder().key("many/1").build(),
                            ObjectIdentifier.builder().key("many/<2>&").build(),
                            ObjectIdentifier.builder().key("many/../x").build(),
                            ObjectIdentifier.builder().key("many/absent").build()))));
    assertThat(answer.deleted())
        .extracting("key")
        .containsExactlyInAnyOrder("many/1", "many/<2>&", "many/absent");
    assertThat(answer.errors()).extracting("code").containsExactly("InvalidArgument");
    assertThat(client.listObjectsV2(r -> r.bucket("data").prefix("many/")).contents()).isEmpty();
  }

  @Test
  void objectsAreCopiedWithinAndBetweenBuckets() throws IOException {
    byte[] bytes = random(50_000);
    client.putObject(
        r -> r.bucket("data").key("from a+b").metadata(Map.of("k", "v")).contentType("a/b"),
        RequestBody.fromBytes(bytes));
    client.copyObject(r ->
        r.sourceBucket("data").sourceKey("from a+b").destinationBucket("data").destinationKey("c"));
    assertThat(behind("c")).isEqualTo(bytes);
    assertThat(client.headObject(r -> r.bucket("data").key("c")).metadata())
        .isEqualTo(Map.of("k", "v"));
    client.copyObject(r ->
        r.sourceBucket("data")
            .sourceKey("c")
            .destinationBucket("data")
            .destinationKey("d")
            .metadataDirective(MetadataDirective.REPLACE)
            .metadata(Map.of("new", "value")));
    assertThat(client.headObject(r -> r.bucket("data").key("d")).metadata())
        .isEqualTo(Map.of("new", "value"));
    client.copyObject(r ->
        r.sourceBucket("data").sourceKey("c").destinationBucket("files").destinationKey("e/f"));
    assertThat(Files.readAllBytes(scene.folder.resolve("e/f"))).isEqualTo(bytes);
    client.copyObject(r ->
        r.sourceBucket("files").sourceKey("e/f").destinationBucket("data").destinationKey("g"));
    assertThat(behind("g")).isEqualTo(bytes);
    assertThatThrownBy(() ->
            client.copyObject(r ->
                r.sourceBucket("data")
                    .sourceKey("c")
                    .copySourceIfMatch("\"other\"")
                    .destinationBucket("data")
                    .destinationKey("h")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
  }

  @Test
  void anUploadInPartsGoesOnThroughAnotherEndpoint() throws IOException {
    byte[] bytes = random(2 * PART + 1000);
    String id = client.createMultipartUpload(r -> r.bucket("data").key("parts")).uploadId();
    List<CompletedPart> parts = new ArrayList<>();
    parts.add(part(client, id, 1, bytes, 0, PART));
    // The first endpoint may be gone by now: nothing of the upload is its own.
    try (S3Gateway second =
            scene.startGateway(
                UnaryOperator.identity(), GatewayScene.ownKey(), InstantSource.system());
        S3Client other =
            scene
                .builder(GatewayScene.KEY, GatewayScene.SECRET)
                .endpointOverride(second.uri())
                .build()) {
      parts.add(part(other, id, 2, bytes, PART, PART));
      parts.add(part(other, id, 3, bytes, 2 * PART, 1000));
      assertThat(other.listParts(r -> r.bucket("data").key("parts").uploadId(id)).parts())
          .extracting("size")
          .containsExactly((long) PART, (long) PART, 1000L);
      assertThat(other.listMultipartUploads(r -> r.bucket("data")).uploads())
          .extracting("uploadId")
          .contains(id);
      other.completeMultipartUpload(
          r -> r.bucket("data").key("parts").uploadId(id).multipartUpload(u -> u.parts(parts)));
    }
    assertThat(read("data", "parts")).isEqualTo(bytes);
    assertThat(behind("parts")).isEqualTo(bytes);
  }

  private static CompletedPart part(
      S3Client by, String id, int number, byte[] bytes, int offset, int length) {
    String tag =
        by.uploadPart(
                r -> r.bucket("data").key("parts").uploadId(id).partNumber(number),
                RequestBody.fromInputStream(
                    new ByteArrayInputStream(bytes, offset, length), length))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  @Test
  void partsAreCopiedAndUploadsAbandoned() {
    byte[] bytes = random(PART + 10);
    scene.put("source", bytes);
    String id = client.createMultipartUpload(r -> r.bucket("data").key("copied")).uploadId();
    var copied =
        client.uploadPartCopy(r ->
            r.sourceBucket("data")
                .sourceKey("source")
                .copySourceRange("bytes=0-" + (PART - 1))
                .destinationBucket("data")
                .destinationKey("copied")
                .uploadId(id)
                .partNumber(1));
    assertThat(copied.copyPartResult().eTag()).isNotEmpty();
    client.abortMultipartUpload(r -> r.bucket("data").key("copied").uploadId(id));
    assertThat(client.listMultipartUploads(r -> r.bucket("data")).uploads())
        .extracting("uploadId")
        .doesNotContain(id);
  }
}
