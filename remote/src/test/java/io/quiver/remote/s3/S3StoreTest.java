package io.quiver.remote.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.RemoteStoreContract;
import io.quiver.remote.open.RemoteStores;
import io.quiver.testkit.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An S3 service, signatures checked, buckets in the path. */
final class S3StoreTest extends RemoteStoreContract {
  @TempDir Path scratch;
  private S3TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = S3TestServer.start();
  }

  @AfterAll
  void stop() throws Exception {
    server.close();
  }

  @Override
  protected RemoteStore filled(String folder, Map<String, byte[]> objects) throws Exception {
    server.putAll(folder, objects);
    return server.store(folder);
  }

  @Override
  protected void replace(String folder, String name, byte[] bytes) {
    server.put(folder + name, bytes);
  }

  /** The proxy refuses any other, unlike S3 itself. */
  @Override
  protected List<String> delimiters() {
    return List.of("", "/");
  }

  @Override
  protected void delete(String folder, String name) {
    server.delete(folder + name);
  }

  @Test
  void wrongCredentialsAreRefusedWithARemedyAndWithoutTheSecret() throws Exception {
    server.put("guarded/x", new byte[10]);
    try (RemoteStore store =
        server.store("guarded/", S3TestServer.keys("the-key", "a-wrong-secret"))) {
      assertThatThrownBy(() -> read(store, "x", 0, 1))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("x")
          .hasMessageContaining("check the credentials")
          .hasMessageNotContaining("a-wrong-secret");
      assertThatThrownBy(() -> store.stat("x")).isInstanceOf(AccessDeniedException.class);
      assertThatThrownBy(
              () -> {
                try (Stream<RemoteObject> listed = store.list("")) {
                  listed.toList();
                }
              })
          .hasCauseInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  void publicBucketsAreReadWithoutCredentials() throws Exception {
    try (S3TestServer open = S3TestServer.startOpen()) {
      open.put("data/x.tar", "hello".getBytes(StandardCharsets.UTF_8));
      try (RemoteStore folder = RemoteStores.open("s3://bucket/data", open.config());
          RemoteStore object = RemoteStores.open("s3://bucket/data/x.tar", open.config())) {
        assertThat(folder.list("")).extracting(RemoteObject::name).containsExactly("x.tar");
        assertThat(object.list("")).extracting(RemoteObject::name).containsExactly("x.tar");
        assertThat(read(object, "x.tar", 1, 4)).isEqualTo("ello".getBytes(StandardCharsets.UTF_8));
        assertThat(folder.uri()).isEqualTo("s3://bucket/data/");
        assertThat(object.uri()).isEqualTo("s3://bucket/data/x.tar");
      }
    }
  }

  @Test
  void aCustomAuthorityIsTrustedAndAnUnknownOneIsNot() throws Exception {
    try (S3TestServer secure = S3TestServer.startTls(TestCertificate.create(scratch))) {
      secure.put("x", "hello".getBytes(StandardCharsets.UTF_8));
      RemoteConfig ignorant = RemoteConfig.DEFAULT.withS3(secure.config().s3());
      try (RemoteStore trusted = RemoteStores.open("s3://bucket/", secure.config());
          RemoteStore untrusted = RemoteStores.open("s3://bucket/", ignorant)) {
        assertThat(stream(trusted, "x", 0, -1)).asString().isEqualTo("hello");
        assertThatThrownBy(() -> untrusted.stat("x"))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("certificate authority");
      }
    }
  }

  @Test
  void markersOfFoldersAreNotListed() throws Exception {
    server.put("marked/", new byte[0]);
    server.put("marked/sub/", new byte[0]);
    server.put("marked/sub/x", new byte[0]);
    try (RemoteStore store = server.store("marked/")) {
      assertThat(store.list("")).extracting(RemoteObject::name).containsExactly("sub/x");
    }
  }

  @Test
  void pagesShowMarkersOfFoldersButNeverTheRootsOwn() throws Exception {
    server.put("shown/", new byte[0]);
    server.put("shown/empty/", new byte[0]);
    server.put("shown/sub/x", new byte[0]);
    try (RemoteStore store = server.store("shown/")) {
      assertThat(store.page(ListingRequest.folder("")).groups()).containsExactly("empty/", "sub/");
      assertThat(store.page(ListingRequest.folder("")).objects()).isEmpty();
      assertThat(store.page(ListingRequest.folder("empty/")).objects())
          .extracting(RemoteObject::name)
          .containsExactly("empty/");
      assertThat(store.details("empty/").object().size()).isZero();
    }
  }

  @Test
  void contentTypeAndMetadataComeFromLookupsAndFromFirstBytes() throws Exception {
    server.put("told/x", new byte[] {1, 2}, "image/png", Map.of("Camera", "old"));
    try (RemoteStore store = server.store("told/");
        FirstBytes first = store.first("x", 1)) {
      assertThat(store.details("x").contentType()).isEqualTo("image/png");
      assertThat(store.details("x").metadata()).containsExactly(Map.entry("camera", "old"));
      assertThat(first.details()).isEqualTo(store.details("x"));
    }
  }
}
