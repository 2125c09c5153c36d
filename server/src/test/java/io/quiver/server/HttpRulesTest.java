package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ReceiptFrame;
import io.quiver.server.TestClient.Answer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HttpRulesTest extends RunningServerTest {
  private final Random random = new Random(11);

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    for (int i = 0; i < 200; i++) {
      byte[] content = server.stored(random, random.nextInt(5_000));
      byte[] ask =
          TestClient.bytes(new AskFrame(List.of(ContentHash.ofContent(content)), 1, false));
      contents.add(content);
      requests.writeBytes(ascii("POST /v1/blobs/get HTTP/1.1\r\nHost: t\r\nContent-Length: "));
      requests.writeBytes(ascii(ask.length + "\r\n\r\n"));
      requests.writeBytes(ask);
    }
    client.send(requests.toByteArray());
    for (byte[] content : contents) {
      assertThat(TestClient.blobs(client.answer(), 1).payload()).isEqualTo(content);
    }
  }

  @Test
  void whatFollowsALongBodyIsTheNextRequest() throws Exception {
    for (int blobs = 1; blobs <= 40; blobs += 13) {
      byte[][] contents = new byte[blobs][];
      List<OfferFrame.Offer> offers = new ArrayList<>();
      for (int i = 0; i < blobs; i++) {
        contents[i] = new byte[1 + random.nextInt(100_000)];
        random.nextBytes(contents[i]);
        offers.add(
            new OfferFrame.Offer(
                ContentHash.ofContent(contents[i]), SpaceId.DEFAULT, contents[i].length));
      }
      byte[] put = TestClient.bytes(new OfferFrame(offers), contents);
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      requests.writeBytes(ascii("PUT /v1/blobs HTTP/1.1\r\nHost: t\r\nContent-Length: "));
      requests.writeBytes(ascii(put.length + "\r\n\r\n"));
      requests.writeBytes(put);
      requests.writeBytes(ascii("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n"));
      client.send(requests.toByteArray());
      assertThat(ReceiptFrame.parse(ByteBuffer.wrap(client.answer().body()), blobs).receipts())
          .hasSize(blobs)
          .containsOnly(Receipt.STORED);
      assertThat(client.answer().text()).isEqualTo("{\"status\":\"ok\"}\n");
    }
  }

  @Test
  void aRequestMayArriveByteByByte() throws Exception {
    for (byte piece : ascii("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n")) {
      client.send(new byte[] {piece});
    }
    assertThat(client.answer().text()).isEqualTo("{\"status\":\"ok\"}\n");
  }

  @Test
  void theConnectionClosesWhenAskedTo() throws Exception {
    Answer answer = client.ask("GET /healthz", "Connection: close\r\n", new byte[0]);
    assertThat(answer.field("connection")).isEqualTo("close");
    assertThat(client.endsWithoutAnswer()).isTrue();
    try (TestClient old = server.client()) {
      assertThat(old.send("GET /healthz HTTP/1.0\r\n\r\n").answer().status()).isEqualTo(200);
      assertThat(old.endsWithoutAnswer()).isTrue();
    }
  }

  @Test
  void unknownPathsAndMethodsAreToldApart() throws Exception {
    assertThat(client.ask("GET /").status()).isEqualTo(404);
    assertThat(client.ask("GET /v1/blobs/a/b").status()).isEqualTo(404);
    assertThat(client.ask("GET /v1/spaces/").status()).isEqualTo(404);
    Answer get = client.ask("GET /v1/blobs/get");
    assertThat(get.status()).isEqualTo(405);
    assertThat(get.field("allow")).isEqualTo("POST");
    Answer blob = client.ask("DELETE /v1/blobs/" + "0".repeat(64));
    assertThat(blob.status()).isEqualTo(405);
    assertThat(blob.field("allow")).isEqualTo("GET, HEAD, PUT");
    assertThat(client.ask("POST /healthz").field("allow")).isEqualTo("GET, HEAD");
    assertThat(client.ask("GET /v1/blobs").field("allow")).isEqualTo("PUT");
    assertThat(client.ask("PATCH /v1/spaces").text()).contains("\"error\"").contains("\"remedy\"");
  }

  @Test
  void noCallListsHashes() throws Exception {
    byte[] content = server.stored(random, 100);
    String hex = ContentHash.ofContent(content).toHex();
    String[] pages = {"/v1/status", "/metrics", "/v1/spaces", "/healthz", "/v1/blobs", "/"};
    for (String page : pages) {
      assertThat(client.ask("GET " + page).text()).doesNotContain(hex.substring(0, 12));
    }
  }

  @Test
  void absoluteTargetsAreUnderstood() throws Exception {
    assertThat(client.ask("GET http://test/healthz").status()).isEqualTo(200);
    assertThat(client.ask("GET http://test").status()).isEqualTo(404);
  }

  @Test
  void headsThatBreakTheRulesAreRefusedAndTheConnectionCloses() throws Exception {
    String host = "Host: t\r\n";
    refused(400, "GET /healthz HTTP/1.1\r\n\r\n");
    refused(400, "GET /healthz HTTP/1.1\r\n" + host + host + "\r\n");
    refused(400, "nonsense\r\n\r\n");
    refused(400, "GET /healthz HTTP/1.1\r\nno colon\r\n\r\n");
    refused(400, "GET healthz HTTP/1.1\r\n" + host + "\r\n");
    refused(505, "GET /healthz HTTP/2.0\r\n" + host + "\r\n");
    refused(400, "POST /v1/blobs/get HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n");
    refused(400, "POST /v1/blobs/get HTTP/1.1\r\n" + host + "Content-Length: +1\r\n\r\n");
    refused(400, "POST /v1/blobs/get HTTP/1.1\r\n" + host + "Content-Length: 1e3\r\n\r\n");
    refused(
        400,
        "POST /v1/blobs/get HTTP/1.1\r\n"
            + host
            + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
    refused(
        400,
        "POST /v1/blobs/get HTTP/1.1\r\n"
            + host
            + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n");
    refused(501, "POST /v1/blobs/get HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n");
    refused(417, "POST /v1/blobs/get HTTP/1.1\r\n" + host + "Expect: tea\r\n\r\n");
  }

  @Test
  void headsThatAreTooLongAreRefused() throws Exception {
    refused(414, "GET /" + "x".repeat(9_000) + " HTTP/1.1\r\nHost: t\r\n\r\n");
    refused(431, "GET / HTTP/1.1\r\nHost: t\r\nX: " + "x".repeat(9_000) + "\r\n\r\n");
    refused(431, "GET / HTTP/1.1\r\nHost: t\r\n" + "X: y\r\n".repeat(100) + "\r\n");
  }

  @Test
  void brokenChunksAreRefused() throws Exception {
    String head = "POST /v1/blobs/get HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";
    refused(400, head + "zz\r\n");
    refused(400, head + "5\r\nabcdefgh\r\n");
    refused(400, head + "-5\r\nabcde\r\n");
  }

  @Test
  void aBodyNobodyAskedForIsSkipped() throws Exception {
    Answer answer = client.ask("GET /healthz", "", new byte[100_000]);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(client.ask("GET /healthz").status()).isEqualTo(200);
  }

  @Test
  void aConnectionCutInsideABodyLeavesNothingBehind() throws Exception {
    String head = "PUT /v1/blobs/" + "0".repeat(64) + " HTTP/1.1\r\nHost: t\r\n";
    client.send(head + "Content-Length: 1000000\r\n\r\n").send(new byte[500_000]);
    client.socket().shutdownOutput();
    Answer answer = client.answer();
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("after 500000 bytes");
  }

  private void refused(int status, String request) throws Exception {
    try (TestClient own = server.client()) {
      Answer answer = own.send(request).answer();
      assertThat(answer.status()).as(request).isEqualTo(status);
      assertThat(answer.text()).contains("{\"error\":\"").contains("\",\"remedy\":\"");
      assertThat(answer.field("connection")).isEqualTo("close");
      own.socket().shutdownOutput();
      assertThat(own.endsWithoutAnswer()).isTrue();
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
