package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.server.TestClient.Answer;
import io.quiver.store.memory.MemoryBlobStore;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SingleBlobTest extends RunningServerTest {
  private final Random random = new Random(7);

  @Test
  void aBlobPutUnderItsHashCanBeReadBack() throws Exception {
    byte[] content = randomBytes(100_000);
    Answer stored = client.ask("PUT " + path(content) + "?space=demo", "", content);
    assertThat(stored.status()).isEqualTo(201);
    assertThat(stored.text())
        .isEqualTo("{\"outcome\":\"stored\",\"space\":\"demo\",\"bytes\":100000}\n");
    assertThat(client.ask("PUT " + path(content), "", content).status()).isEqualTo(200);
    assertThat(server.store.spaces())
        .extracting(usage -> usage.space().name())
        .containsExactly("default", "demo");
    Answer read = client.ask("GET " + path(content));
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body()).isEqualTo(content);
    assertThat(read.field("content-type")).isEqualTo("application/octet-stream");
    assertThat(read.field("accept-ranges")).isEqualTo("bytes");
  }

  @Test
  void theEntityTagDoesNotGiveTheHashAway() throws Exception {
    byte[] content = server.stored(random, 1_000);
    String tag = client.ask("GET " + path(content)).field("etag");
    assertThat(tag).matches("\"[0-9a-f]{8}-3e8\"");
    assertThat(ContentHash.ofContent(content).toHex()).doesNotContain(tag.substring(1, 9));
    Answer unchanged = client.ask("GET " + path(content), "If-None-Match: " + tag + "\r\n", none());
    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.body()).isEmpty();
  }

  @Test
  void headTellsTheLengthWithoutThePayload() throws Exception {
    byte[] content = server.stored(random, 1_234);
    Answer head = client.ask("HEAD " + path(content));
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.field("content-length")).isEqualTo("1234");
    assertThat(client.ask("HEAD /v1/blobs/" + "0".repeat(64)).status()).isEqualTo(404);
    assertThat(client.ask("GET " + path(content)).body()).isEqualTo(content);
  }

  @Test
  void rangesSelectPartsOfABlob() throws Exception {
    byte[] content = server.stored(random, 1_000);
    assertPart(content, "bytes=0-0", 0, 1);
    assertPart(content, "bytes=10-19", 10, 20);
    assertPart(content, "bytes=990-", 990, 1_000);
    assertPart(content, "bytes=990-5000", 990, 1_000);
    assertPart(content, "bytes=-1", 999, 1_000);
    assertPart(content, "bytes=-5000", 0, 1_000);
    assertPart(content, "bytes=0-999", 0, 1_000);
  }

  @Test
  void rangesOutsideABlobAreRefused() throws Exception {
    byte[] content = server.stored(random, 1_000);
    for (String range : new String[] {"bytes=1000-", "bytes=1000-2000", "bytes=-0"}) {
      Answer answer = client.ask("GET " + path(content), "Range: " + range + "\r\n", none());
      assertThat(answer.status()).as(range).isEqualTo(416);
      assertThat(answer.field("content-range")).isEqualTo("bytes */1000");
    }
    byte[] empty = server.stored(random, 0);
    assertThat(client.ask("GET " + path(empty), "Range: bytes=0-\r\n", none()).status())
        .isEqualTo(416);
    assertThat(client.ask("GET " + path(empty)).body()).isEmpty();
  }

  @Test
  void whatIsNotASingleRangeOfBytesIsIgnored() throws Exception {
    byte[] content = server.stored(random, 100);
    String[] ranges = {"bytes=0-1,5-6", "lines=1-2", "bytes=5-2", "bytes=-", "bytes=a-b", "bytes"};
    for (String range : ranges) {
      Answer answer = client.ask("GET " + path(content), "Range: " + range + "\r\n", none());
      assertThat(answer.status()).as(range).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(content);
    }
    String stale = "Range: bytes=0-1\r\nIf-Range: \"other\"\r\n";
    assertThat(client.ask("GET " + path(content), stale, none()).status()).isEqualTo(200);
  }

  @Test
  void contentThatDoesNotHaveTheHashIsRefused() throws Exception {
    byte[] content = randomBytes(50);
    Answer answer = client.ask("PUT " + path(randomBytes(50)), "", content);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.text()).contains("do not have the hash");
    assertThat(client.ask("GET " + path(content)).status()).isEqualTo(404);
  }

  @Test
  void badNamesAreRefused() throws Exception {
    assertThat(client.ask("GET /v1/blobs/abc").status()).isEqualTo(400);
    assertThat(client.ask("GET /v1/blobs/" + "g".repeat(64)).status()).isEqualTo(400);
    byte[] content = randomBytes(5);
    Answer answer = client.ask("PUT " + path(content) + "?space=No%20Way", "", content);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("not a space name");
    assertThat(client.ask("DELETE /v1/spaces/UPPER").status()).isEqualTo(400);
  }

  @Test
  void blobsThatAreTooLongOrDoNotFitAreRefused() throws Exception {
    byte[] huge = randomBytes((int) TestServer.MAX_BLOB + 1);
    Answer answered = client.ask("PUT " + path(huge), "", huge);
    assertThat(answered.status()).isEqualTo(413);
    assertThat(answered.field("connection")).isEqualTo("close");
    try (TestServer full = new TestServer(new MemoryBlobStore(100, 4 << 20), config -> config);
        TestClient own = full.client()) {
      byte[] content = randomBytes(101);
      Answer answer = own.ask("PUT " + path(content), "", content);
      assertThat(answer.status()).isEqualTo(507);
      assertThat(answer.text()).contains("space default cannot take 101 more bytes");
    }
  }

  @Test
  void aChunkedBodyGrowsUpToTheLongestBlob() throws Exception {
    byte[] content = randomBytes((int) TestServer.MAX_BLOB);
    assertThat(putChunked(client, content).status()).isEqualTo(201);
    assertThat(client.ask("GET " + path(content)).body()).isEqualTo(content);
    byte[] huge = randomBytes((int) TestServer.MAX_BLOB + 1);
    try (TestClient own = server.client()) {
      assertThat(putChunked(own, huge).status()).isEqualTo(413);
    }
    byte[] empty = {};
    assertThat(putChunked(client, empty).status()).isEqualTo(201);
  }

  @Test
  void aClientThatExpectsToBeInvitedIsInvitedOnce() throws Exception {
    byte[] content = randomBytes(2_000_000);
    String head =
        "PUT "
            + path(content)
            + " HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n";
    assertThat(client.send(head).answer(true).status()).isEqualTo(100);
    assertThat(client.send(content).answer().status()).isEqualTo(201);
    assertThat(client.ask("GET " + path(content)).body()).isEqualTo(content);
  }

  @Test
  void aClientThatIsRefusedIsNeverInvited() throws Exception {
    String head =
        "PUT /v1/blobs/abc HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    Answer answer = client.send(head).answer();
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field("connection")).isEqualTo("close");
  }

  @Test
  void spacesAreListedAndDropped() throws Exception {
    byte[] content = server.stored(random, 10);
    server.store.limit(new SpaceId("bounded"), 500);
    assertThat(client.ask("GET /v1/spaces").text())
        .isEqualTo(
            "{\"spaces\":[{\"space\":\"bounded\",\"charged_bytes\":0,\"blobs\":0,\"limit_bytes\":500},"
                + "{\"space\":\"default\",\"charged_bytes\":10,\"blobs\":1,\"limit_bytes\":null}]}\n");
    assertThat(client.ask("DELETE /v1/spaces/default").text())
        .isEqualTo("{\"space\":\"default\",\"freed_bytes\":10}\n");
    assertThat(client.ask("GET " + path(content)).status()).isEqualTo(404);
    assertThat(client.ask("DELETE /v1/spaces/default").status()).isEqualTo(404);
  }

  private void assertPart(byte[] content, String range, int from, int to) throws Exception {
    Answer answer = client.ask("GET " + path(content), "Range: " + range + "\r\n", none());
    assertThat(answer.status()).as(range).isEqualTo(206);
    assertThat(answer.body()).as(range).isEqualTo(Arrays.copyOfRange(content, from, to));
    assertThat(answer.field("content-range"))
        .isEqualTo("bytes " + from + "-" + (to - 1) + "/" + content.length);
  }

  private static Answer putChunked(TestClient client, byte[] content) throws Exception {
    String head = " HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";
    return client
        .send("PUT " + path(content) + head)
        .send(TestClient.chunked(content, 100_000))
        .answer();
  }

  private static String path(byte[] content) {
    return "/v1/blobs/" + ContentHash.ofContent(content).toHex();
  }

  private byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] none() {
    return new byte[0];
  }
}
