package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Keys that other programs stumble over. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileKeysTest {
  private GatewayScene scene;
  private S3Client client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    scene = GatewayScene.start(folder);
    client = scene.client();
    keys().forEach(key -> scene.put("keys/" + key, bytes(key)));
  }

  @AfterAll
  void close() throws IOException {
    scene.close();
  }

  static List<String> keys() {
    return List.of(
        "plain",
        "with space",
        "plus+sign",
        "percent%41",
        "percent%2Fslash",
        "question?mark",
        "hash#mark",
        "am&per=sand",
        "semi;colon,comma",
        "quote'\"double",
        "<angle>&amp;",
        "umlaut-äöü-日本-😀",
        "dots.and..dots",
        "tilde~star*(paren)!@$:",
        "back\\slash",
        "long-" + "k".repeat(180));
  }

  private static byte[] bytes(String key) {
    return ("content of " + key).getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyKeyIsReadAsItIs(String key) {
    assertThat(client.getObjectAsBytes(r -> r.bucket("data").key("keys/" + key)).asByteArray())
        .isEqualTo(bytes(key));
    assertThat(client.headObject(r -> r.bucket("data").key("keys/" + key)).contentLength())
        .isEqualTo(bytes(key).length);
  }

  @Test
  void everyKeyIsListedAsItIs() {
    List<String> expected = keys().stream().map(key -> "keys/" + key).toList();
    assertThat(client.listObjectsV2(r -> r.bucket("data").prefix("keys/")).contents())
        .extracting(S3Object::key)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(
            client
                .listObjectsV2(r -> r.bucket("data").prefix("keys/").encodingType("url"))
                .contents())
        .extracting(S3Object::key)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(client.listObjects(r -> r.bucket("data").prefix("keys/")).contents())
        .extracting(S3Object::key)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void keysMayHaveUpTo1024Bytes() {
    assertThatThrownBy(() -> client.headObject(r -> r.bucket("data").key("ä".repeat(512))))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
    assertThatThrownBy(
            () -> client.getObjectAsBytes(r -> r.bucket("data").key("ä".repeat(512) + "a")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("KeyTooLongError"));
  }

  @Test
  void theLongestKeysAreWrittenListedAndRead() {
    // Folders of the store behind the endpoint take parts of 255 bytes.
    String key = "long/" + ("日".repeat(80) + "/").repeat(4) + "z".repeat(1024 - 5 - 4 * 241);
    assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSize(1024);
    for (String bucket : List.of("data", "files")) {
      client.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromBytes(bytes(key)));
      assertThat(client.getObjectAsBytes(r -> r.bucket(bucket).key(key)).asByteArray())
          .isEqualTo(bytes(key));
      assertThat(client.listObjectsV2(r -> r.bucket(bucket).prefix("long/")).contents())
          .extracting(S3Object::key)
          .containsExactly(key);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/./b", "./a", "a/..", "..", ".", "a/../b"})
  void keysWithPartsOfDotsAreRefusedForEveryOperationWithTheReason(String key) {
    for (String bucket : List.of("data", "files")) {
      List<ThrowingCallable> calls =
          List.of(
              () -> client.getObjectAsBytes(r -> r.bucket(bucket).key(key)),
              () -> client.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromString("x")),
              () -> client.deleteObject(r -> r.bucket(bucket).key(key)),
              () -> client.createMultipartUpload(r -> r.bucket(bucket).key(key)),
              () ->
                  client.copyObject(r ->
                      r.sourceBucket(bucket)
                          .sourceKey(key)
                          .destinationBucket(bucket)
                          .destinationKey("copy")),
              () -> client.listObjectsV2(r -> r.bucket(bucket).prefix(key + "/")));
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call)
            .as(bucket + "/" + key)
            .isInstanceOfSatisfying(
                S3Exception.class,
                e -> {
                  assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidArgument");
                  assertThat(e.awsErrorDetails().errorMessage())
                      .contains("'.' or '..'")
                      .contains("stores disagree");
                });
      }
    }
  }

  @Test
  void aFolderHasNoKeysWithEmptyParts() {
    for (String key : List.of("a//b", "/leading", "trailing//")) {
      assertThatThrownBy(() -> client.getObjectAsBytes(r -> r.bucket("files").key(key)))
          .as(key)
          .isInstanceOfSatisfying(
              S3Exception.class,
              e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("NoSuchKey"));
    }
  }

  @Test
  void noKeyLeadsOutOfTheStore() {
    scene.upstream.put("outside", bytes("outside"));
    for (String key : List.of("../outside", "keys/../../outside", "./../outside", "..%2Foutside")) {
      for (String bucket : List.of("data", "files")) {
        assertThatThrownBy(() -> client.getObjectAsBytes(r -> r.bucket(bucket).key(key)))
            .as(bucket + "/" + key)
            .isInstanceOf(S3Exception.class);
      }
    }
  }
}
