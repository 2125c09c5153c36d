package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.s3.message.S3Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects read by the AWS SDK, from a store that is another S3 service and from a folder. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ObjectReadsTest {
  private static final byte[] TEXT = "0123456789".getBytes(StandardCharsets.UTF_8);

  private GatewayScene scene;
  private S3Client client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    scene = GatewayScene.start(folder);
    client = scene.client();
    scene.put("digits", TEXT);
    scene.put("empty", new byte[0]);
    Files.write(scene.folder.resolve("digits"), TEXT);
    Files.write(scene.folder.resolve("empty"), new byte[0]);
  }

  @AfterAll
  void close() throws IOException {
    scene.close();
  }

  private ResponseBytes<GetObjectResponse> get(String bucket, String key) {
    return client.getObjectAsBytes(r -> r.bucket(bucket).key(key));
  }

  private ResponseBytes<GetObjectResponse> range(String key, String range) {
    return client.getObjectAsBytes(r -> r.bucket("data").key(key).range(range));
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "files"})
  void objectsComeWholeWithTheirTagAndTime(String bucket) {
    ResponseBytes<GetObjectResponse> answer = get(bucket, "digits");
    assertThat(answer.asByteArray()).isEqualTo(TEXT);
    assertThat(answer.response().eTag()).startsWith("\"").endsWith("\"");
    assertThat(answer.response().lastModified()).isAfter(Instant.now().minusSeconds(3600));
    HeadObjectResponse head = client.headObject(r -> r.bucket(bucket).key("digits"));
    assertThat(head.contentLength()).isEqualTo(10);
    assertThat(head.eTag()).isEqualTo(answer.response().eTag());
    assertThat(head.acceptRanges()).isEqualTo("bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "files"})
  void objectsWithoutBytesAreObjects(String bucket) {
    assertThat(get(bucket, "empty").asByteArray()).isEmpty();
    assertThat(client.headObject(r -> r.bucket(bucket).key("empty")).contentLength()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, bytes 0-0/10",
    "bytes=2-4, 234, bytes 2-4/10",
    "bytes=7-, 789, bytes 7-9/10",
    "bytes=-3, 789, bytes 7-9/10",
    "bytes=-99, 0123456789, bytes 0-9/10",
    "bytes=5-999999999999, 56789, bytes 5-9/10"
  })
  void rangesAreAnswered(String range, String bytes, String contentRange) {
    ResponseBytes<GetObjectResponse> answer = range("digits", range);
    assertThat(answer.asUtf8String()).isEqualTo(bytes);
    assertThat(answer.response().contentRange()).isEqualTo(contentRange);
    assertThat(answer.response().sdkHttpResponse().statusCode()).isEqualTo(206);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=4-2", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5", "x"})
  void rangesThatMakeNoSenseAreIgnoredAsInS3(String range) {
    ResponseBytes<GetObjectResponse> answer = range("digits", range);
    assertThat(answer.asByteArray()).isEqualTo(TEXT);
    assertThat(answer.response().contentRange()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"digits, bytes=10-", "digits, bytes=11-20", "digits, bytes=-0", "empty, bytes=0-0"})
  void rangesPastTheEndAreRefused(String key, String range) {
    assertThatThrownBy(() -> range(key, range))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(416);
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidRange");
            });
  }

  @Test
  void aRangeOfAnotherVersionStandsForTheWhole() {
    String tag = client.headObject(r -> r.bucket("data").key("digits")).eTag();
    Map<String, String> partial = Map.of(tag, "23", "\"another\"", "0123456789");
    partial.forEach((condition, bytes) ->
        assertThat(
                client
                    .getObjectAsBytes(r ->
                        r.bucket("data")
                            .key("digits")
                            .range("bytes=2-3")
                            .overrideConfiguration(o -> o.putHeader("If-Range", condition)))
                    .asUtf8String())
            .isEqualTo(bytes));
  }

  @Test
  void conditionsCountInTheOrderOfS3() {
    HeadObjectResponse head = client.headObject(r -> r.bucket("data").key("digits"));
    String tag = head.eTag();
    Instant before = head.lastModified().minusSeconds(60);
    Instant after = head.lastModified().plusSeconds(60);
    assertThat(status("If-None-Match", tag)).isEqualTo(304);
    assertThat(status("If-None-Match", "*")).isEqualTo(304);
    assertThat(status("If-None-Match", "\"other\"")).isEqualTo(200);
    assertThat(status("If-Match", tag)).isEqualTo(200);
    assertThat(status("If-Match", "\"other\", " + tag)).isEqualTo(200);
    assertThat(status("If-Match", "\"other\"")).isEqualTo(412);
    assertThat(status("If-Modified-Since", S3Time.header(after))).isEqualTo(304);
    assertThat(status("If-Modified-Since", S3Time.header(before))).isEqualTo(200);
    assertThat(status("If-Modified-Since", "yesterday")).isEqualTo(200);
    assertThat(status("If-Unmodified-Since", S3Time.header(before))).isEqualTo(412);
    assertThat(status("If-Unmodified-Since", S3Time.header(after))).isEqualTo(200);
    assertThat(status("If-Match", tag, "If-Unmodified-Since", S3Time.header(before)))
        .isEqualTo(200);
    assertThat(status("If-None-Match", "\"other\"", "If-Modified-Since", S3Time.header(after)))
        .isEqualTo(200);
  }

  private int status(String... fields) {
    try {
      return client
          .getObjectAsBytes(r ->
              r.bucket("data")
                  .key("digits")
                  .overrideConfiguration(o -> {
                    for (int i = 0; i < fields.length; i += 2) {
                      o.putHeader(fields[i], fields[i + 1]);
                    }
                  }))
          .response()
          .sdkHttpResponse()
          .statusCode();
    } catch (S3Exception e) {
      return e.statusCode();
    }
  }

  @Test
  void theRequestMayReplaceFieldsOfTheAnswer() {
    GetObjectResponse answer =
        client
            .getObjectAsBytes(r ->
                r.bucket("data")
                    .key("digits")
                    .responseContentType("text/plain")
                    .responseContentDisposition("attachment; filename=\"a b.txt\"")
                    .responseCacheControl("no-cache"))
            .response();
    assertThat(answer.contentType()).isEqualTo("text/plain");
    assertThat(answer.contentDisposition()).isEqualTo("attachment; filename=\"a b.txt\"");
    assertThat(answer.cacheControl()).isEqualTo("no-cache");
    assertThatThrownBy(() ->
            client.getObjectAsBytes(
                r -> r.bucket("data").key("digits").responseContentType("a\r\nSet-Cookie: b")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidArgument"));
  }

  @Test
  void typeAndMetadataComeFromTheStore() {
    scene
        .upstream
        .client()
        .putObject(
            r ->
                r.bucket(UpstreamS3.BUCKET)
                    .key("root/photo.jpg")
                    .contentType("image/jpeg")
                    .metadata(Map.of("camera", "a b c")),
            RequestBody.fromString("x"));
    GetObjectResponse answer = get("data", "photo.jpg").response();
    assertThat(answer.contentType()).isEqualTo("image/jpeg");
    assertThat(answer.metadata()).isEqualTo(Map.of("camera", "a b c"));
    assertThat(get("files", "digits").response().contentType()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"data, absent", "files, absent", "files, digits/x", "files, a//b"})
  void whatIsNotThereIsNoSuchKey(String bucket, String key) {
    assertThatThrownBy(() -> get(bucket, key))
        .isInstanceOfSatisfying(
            NoSuchKeyException.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo("NoSuchKey");
              assertThat(e.requestId()).isNotEmpty();
            });
    assertThatThrownBy(() -> client.headObject(r -> r.bucket(bucket).key(key)))
        .isInstanceOf(NoSuchKeyException.class);
  }

  @Test
  void unknownBucketsAreToldApartFromUnknownKeys() {
    assertThatThrownBy(() -> get("other", "digits"))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("NoSuchBucket"));
    assertThatThrownBy(() -> client.headBucket(r -> r.bucket("other")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
    client.headBucket(r -> r.bucket("data"));
    assertThat(client.listBuckets().buckets()).extracting("name").containsExactly("data", "files");
    assertThat(client.getBucketLocation(r -> r.bucket("data")).locationConstraintAsString())
        .isIn(null, "");
  }

  @Test
  void whatIsMissingSaysSo() {
    assertThatThrownBy(() -> client.getObjectTagging(r -> r.bucket("data").key("digits")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(501);
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo("NotImplemented");
            });
    assertThatThrownBy(() -> client.getBucketAcl(r -> r.bucket("data")))
        .hasMessageContaining("not implemented");
  }
}
