package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Listings of both versions, over a store that is another S3 service and over a folder. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ListRequestsTest {
  private static final List<String> KEYS =
      List.of("a/1", "a/2", "a/b/3", "c", "d/4", "d/5", "e-f", "e/6", "z");

  private GatewayScene scene;
  private S3Client client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    scene = GatewayScene.start(folder);
    client = scene.client();
    for (String key : KEYS) {
      scene.put(key, key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      Path file = scene.folder.resolve(key);
      Files.createDirectories(file.getParent());
      Files.writeString(file, key);
    }
  }

  @AfterAll
  void close() throws IOException {
    scene.close();
  }

  private static List<String> keys(List<S3Object> objects) {
    return objects.stream().map(S3Object::key).toList();
  }

  private static List<String> groups(List<CommonPrefix> groups) {
    return groups.stream().map(CommonPrefix::prefix).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "files"})
  void everythingIsListedInOrder(String bucket) {
    ListObjectsV2Response page = client.listObjectsV2(r -> r.bucket(bucket));
    assertThat(keys(page.contents())).containsExactlyElementsOf(KEYS);
    assertThat(page.isTruncated()).isFalse();
    assertThat(page.keyCount()).isEqualTo(KEYS.size());
    assertThat(page.contents())
        .allSatisfy(object -> {
          assertThat(object.size()).isEqualTo(object.key().length());
          assertThat(object.eTag())
              .isEqualTo(client.headObject(r -> r.bucket(bucket).key(object.key())).eTag());
          assertThat(object.owner()).isNull();
        });
    assertThat(client.listObjectsV2(r -> r.bucket(bucket).fetchOwner(true)).contents())
        .allSatisfy(object -> assertThat(object.owner().id()).isNotEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "files"})
  void delimitersMakeGroups(String bucket) {
    ListObjectsV2Response top = client.listObjectsV2(r -> r.bucket(bucket).delimiter("/"));
    assertThat(keys(top.contents())).containsExactly("c", "e-f", "z");
    assertThat(groups(top.commonPrefixes())).containsExactly("a/", "d/", "e/");
    ListObjectsV2Response below =
        client.listObjectsV2(r -> r.bucket(bucket).delimiter("/").prefix("a/"));
    assertThat(keys(below.contents())).containsExactly("a/1", "a/2");
    assertThat(groups(below.commonPrefixes())).containsExactly("a/b/");
    assertThat(keys(client.listObjectsV2(r -> r.bucket(bucket).prefix("e")).contents()))
        .containsExactly("e-f", "e/6");
    assertThat(client.listObjectsV2(r -> r.bucket(bucket).prefix("none/")).contents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 100})
  void pagesOfTheSecondVersionFollowEachOther(int size) {
    for (String bucket : List.of("data", "files")) {
      for (String delimiter : new String[] {null, "/"}) {
        List<String> found = new ArrayList<>();
        String token = null;
        do {
          String present = token;
          ListObjectsV2Response page =
              client.listObjectsV2(r ->
                  r.bucket(bucket).delimiter(delimiter).maxKeys(size).continuationToken(present));
          assertThat(page.contents().size() + page.commonPrefixes().size()).isBetween(1, size);
          found.addAll(keys(page.contents()));
          found.addAll(groups(page.commonPrefixes()));
          token = page.nextContinuationToken();
          assertThat(page.isTruncated()).isEqualTo(token != null);
        } while (token != null);
        assertThat(found)
            .as(bucket + " " + delimiter)
            .containsExactlyInAnyOrderElementsOf(
                delimiter == null ? KEYS : List.of("a/", "c", "d/", "e-f", "e/", "z"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void pagesOfTheFirstVersionFollowEachOther(int size) {
    for (String bucket : List.of("data", "files")) {
      for (String delimiter : new String[] {null, "/"}) {
        List<String> found = new ArrayList<>();
        String marker = null;
        do {
          String present = marker;
          ListObjectsResponse page =
              client.listObjects(
                  r -> r.bucket(bucket).delimiter(delimiter).maxKeys(size).marker(present));
          found.addAll(keys(page.contents()));
          found.addAll(groups(page.commonPrefixes()));
          marker = page.isTruncated() ? page.nextMarker() : null;
          assertThat(found).hasSizeLessThanOrEqualTo(KEYS.size());
        } while (marker != null);
        assertThat(found)
            .as(bucket + " " + delimiter)
            .containsExactlyInAnyOrderElementsOf(
                delimiter == null ? KEYS : List.of("a/", "c", "d/", "e-f", "e/", "z"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "files"})
  void listingsBeginBehindANameThatNeedNotExist(String bucket) {
    assertThat(keys(client.listObjectsV2(r -> r.bucket(bucket).startAfter("d/4")).contents()))
        .containsExactly("d/5", "e-f", "e/6", "z");
    assertThat(keys(client.listObjectsV2(r -> r.bucket(bucket).startAfter("b")).contents()))
        .startsWith("c");
    assertThat(client.listObjectsV2(r -> r.bucket(bucket).startAfter("zz")).contents()).isEmpty();
  }

  @Test
  void pagesWithoutRoomAndBadQuestionsAreAnswered() {
    ListObjectsV2Response none = client.listObjectsV2(r -> r.bucket("data").maxKeys(0));
    assertThat(none.contents()).isEmpty();
    assertThat(none.isTruncated()).isFalse();
    assertThatThrownBy(() -> client.listObjectsV2(r -> r.bucket("data").maxKeys(-1)))
        .isInstanceOf(S3Exception.class)
        .hasMessageContaining("max-keys");
    assertThatThrownBy(
            () -> client.listObjectsV2(r -> r.bucket("data").continuationToken("no token!")))
        .isInstanceOf(S3Exception.class)
        .hasMessageContaining("continuation token");
  }
}
