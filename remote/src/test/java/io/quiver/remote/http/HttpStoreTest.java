package io.quiver.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.HttpConfig;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.RemoteStoreContract;
import io.quiver.remote.open.RemoteStores;
import io.quiver.testkit.TestCertificate;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web server and lists of URLs. */
final class HttpStoreTest extends RemoteStoreContract {
  @TempDir Path scratch;
  private WebTestServer server;

  @BeforeAll
  void start() throws IOException {
    server = WebTestServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Override
  protected RemoteStore filled(String folder, Map<String, byte[]> objects) throws IOException {
    objects.forEach((name, bytes) -> server.files.put("/" + folder + name, bytes));
    String lines =
        objects.keySet().stream().map(HttpStoreTest::encoded).collect(Collectors.joining("\n"));
    server.put("/" + folder + "list.txt", "# all of them\n\n" + lines + "\n");
    return RemoteStores.open(server.url("/" + folder + "list.txt"), RemoteConfig.DEFAULT);
  }

  @Override
  protected void replace(String folder, String name, byte[] bytes) {
    server.files.put("/" + folder + name, bytes);
  }

  @Override
  protected void delete(String folder, String name) {
    server.files.remove("/" + folder + name);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
  }

  @Test
  void listsMayNameOtherHostsAndLieInLocalFiles() throws IOException {
    server.put("/elsewhere/x", "content");
    String url = server.url("/elsewhere/x");
    Path list = Files.writeString(scratch.resolve("urls"), "\n# comment\n" + url + "?sig=hidden\n");
    try (RemoteStore store = RemoteStores.open("@" + list, RemoteConfig.DEFAULT)) {
      String name = url.substring("http://".length());
      assertThat(store.list("")).extracting(RemoteObject::name).containsExactly(name);
      assertThat(stream(store, name, 0, -1)).asString().isEqualTo("content");
      assertThat(store.uri()).startsWith("@file:").endsWith("/urls");
    }
  }

  @Test
  void anyOtherAddressIsOneObject() throws IOException {
    server.put("/one/x.tar", "content");
    String url = server.url("/one/x.tar");
    try (RemoteStore store = RemoteStores.open(url + "?sig=hidden", RemoteConfig.DEFAULT)) {
      assertThat(store.list("")).extracting(RemoteObject::name).containsExactly("x.tar");
      assertThat(read(store, "x.tar", 3, 4)).asString().isEqualTo("tent");
      assertThat(store.uri()).isEqualTo(url);
      assertThatThrownBy(() -> store.stat("y")).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void headersGoToTheListsOwnHostOnly() throws IOException {
    try (WebTestServer other = WebTestServer.start()) {
      other.put("/x", "there");
      server.put("/auth/here", "here");
      server.redirects.put("/auth/moved", other.url("/x"));
      server.put("/auth/list.txt", "here\nmoved\n" + other.url("/x") + "\n");
      HttpConfig http = new HttpConfig(Map.of("Authorization", "Bearer hidden"));
      assertThat(http.toString()).contains("Authorization").doesNotContain("hidden");
      server.asked.clear();
      try (RemoteStore store =
          RemoteStores.open(server.url("/auth/list.txt"), RemoteConfig.DEFAULT.withHttp(http))) {
        assertThat(store.list("")).hasSize(3);
        assertThat(stream(store, "moved", 0, -1)).asString().isEqualTo("there");
      }
      assertThat(server.asked)
          .isNotEmpty()
          .allSatisfy(asked -> assertThat(asked.headers()).containsKey("Authorization"));
      assertThat(other.asked)
          .isNotEmpty()
          .allSatisfy(asked -> assertThat(asked.headers()).doesNotContainKey("Authorization"));
    }
  }

  @Test
  void serversWithoutHeadAreAskedForOneByte() throws IOException {
    try (WebTestServer old = WebTestServer.start()) {
      old.knowsHead = false;
      old.put("/x.bin", "content");
      old.put("/empty.bin", "");
      old.put("/list.txt", "x.bin\nempty.bin");
      try (RemoteStore store = RemoteStores.open(old.url("/list.txt"), RemoteConfig.DEFAULT)) {
        assertThat(store.list("")).extracting(RemoteObject::size).containsExactly(0L, 7L);
      }
    }
  }

  @Test
  void serversWithoutRangesServeOnlyReadsFromTheBeginning() throws IOException {
    try (WebTestServer old = WebTestServer.start()) {
      old.knowsRanges = false;
      old.put("/x.bin", "content");
      try (RemoteStore store = RemoteStores.open(old.url("/x.bin"), RemoteConfig.DEFAULT)) {
        assertThat(read(store, "x.bin", 0, 4)).asString().isEqualTo("cont");
        assertThat(stream(store, "x.bin", 0, -1)).asString().isEqualTo("content");
        assertThatThrownBy(() -> read(store, "x.bin", 1, 4))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("x.bin")
            .hasMessageContaining("Range");
      }
    }
  }

  @Test
  void aCustomAuthorityIsTrustedAndAnUnknownOneIsNot() throws Exception {
    TestCertificate certificate = TestCertificate.create(scratch);
    try (WebTestServer secure = WebTestServer.startTls(certificate.serverContext())) {
      secure.put("/x.bin", "content");
      String url = secure.url("/x.bin");
      RemoteConfig trusting =
          RemoteConfig.DEFAULT.withCertificateAuthority(certificate.certificate());
      try (RemoteStore trusted = RemoteStores.open(url, trusting);
          RemoteStore untrusted = RemoteStores.open(url, RemoteConfig.DEFAULT)) {
        assertThat(stream(trusted, "x.bin", 0, -1)).asString().isEqualTo("content");
        assertThatThrownBy(() -> read(untrusted, "x.bin", 0, 1))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("certificate authority");
      }
    }
  }

  @Test
  void badListsAreRefusedByLine() throws IOException {
    for (String line :
        List.of(
            "ftp://host/x", "http://user:pw@host/x", "http://", "http://h:port/x", "one\none")) {
      server.put("/bad/list.txt", "# first\n" + line);
      assertThatThrownBy(
              () -> RemoteStores.open(server.url("/bad/list.txt"), RemoteConfig.DEFAULT).close())
          .as(line)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("line ")
          .hasMessageNotContaining("pw");
    }
  }

  @Test
  void serversWithTimesButNoTagsAreAskedByTime() throws Exception {
    try (WebTestServer old = WebTestServer.start()) {
      old.knowsTags = false;
      old.put("/x.bin", "content");
      try (RemoteStore store = RemoteStores.open(old.url("/x.bin"), RemoteConfig.DEFAULT)) {
        RemoteObject object = store.details("x.bin").object();
        assertThat(object.version()).isEqualTo(old.changed);
        store.read(object, 0, ByteBuffer.allocate(7));
        assertThat(old.asked.getLast().headers())
            .containsEntry("If-unmodified-since", List.of(old.changed));
        old.changed = "Tue, 03 Jun 2036 11:05:30 GMT";
        assertThatThrownBy(() -> store.read(object, 0, ByteBuffer.allocate(7)))
            .isInstanceOf(ChangedObjectException.class);
      }
    }
  }

  @Test
  void serversWithoutAnyVersionServeReadsByNameOnly() throws Exception {
    try (WebTestServer old = WebTestServer.start()) {
      old.knowsTags = false;
      old.changed = "";
      old.put("/x.bin", "content");
      try (RemoteStore store = RemoteStores.open(old.url("/x.bin"), RemoteConfig.DEFAULT)) {
        RemoteObject object = store.details("x.bin").object();
        assertThat(object.modified()).isEqualTo(Instant.EPOCH);
        assertThat(read(store, "x.bin", 0, 7)).asString().isEqualTo("content");
        assertThatThrownBy(() -> store.read(object, 0, ByteBuffer.allocate(7)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("no version");
      }
    }
  }
}
