package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of HTTP, as the JDK's client and raw sockets see them. */
class StackTest {
  private static final String TOKEN = "a-token-of-a-job";

  @TempDir Path folder;
  private Path tokens;
  private TestStack server;

  @BeforeEach
  void start() throws Exception {
    tokens =
        Files.writeString(
            folder.resolve("tokens"),
            "# who may call\n" + TOKEN + " job sweep\nview-view-view-view viewer eve\n");
    server = new TestStack(tokens, Duration.ofSeconds(5));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private HttpResponse<String> get(String path, String... fields) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).timeout(Duration.ofSeconds(10));
    if (fields.length > 0) {
      request.headers(fields);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  /** Sends text as it is, half-closes and returns all that comes back. */
  private String raw(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      InputStream input = socket.getInputStream();
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String expected() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append('\n');
    }
    return text.toString();
  }

  @Test
  void anAnswerOfUnknownLengthIsReadByTheJdksClient() throws Exception {
    HttpResponse<String> answer = get("/chunks");
    assertThat(answer.headers().firstValue("Transfer-Encoding")).contains("chunked");
    assertThat(answer.body()).isEqualTo(expected());
  }

  @Test
  void chunksOnTheWireEndWithAnEmptyOneAndTheNextRequestFollows() throws Exception {
    String answer =
        raw("GET /chunks HTTP/1.1\r\nHost: t\r\n\r\nGET /open HTTP/1.1\r\nHost: t\r\n\r\n");
    assertThat(answer).contains("\r\n0\r\n\r\nHTTP/1.1 200 OK").endsWith("open");
  }

  @Test
  void aClientOfHttp10GetsTheBodyUntilTheEnd() throws Exception {
    String answer = raw("GET /chunks HTTP/1.0\r\n\r\n");
    assertThat(answer).doesNotContain("Transfer-Encoding").contains("Connection: close");
    assertThat(answer).endsWith("\r\n\r\n" + expected());
  }

  @Test
  void headOfAnAnswerInChunksHasNoPayloadAndTheNextRequestFollows() throws Exception {
    String answer =
        raw("HEAD /chunks HTTP/1.1\r\nHost: t\r\n\r\nGET /open HTTP/1.1\r\nHost: t\r\n\r\n");
    assertThat(answer.split("\r\n\r\n", 2)[0]).contains("Transfer-Encoding: chunked");
    assertThat(answer.split("\r\n\r\n", 2)[1]).startsWith("HTTP/1.1 200 ").endsWith("open");
  }

  @Test
  void anAnswerThatFailsHalfWayDoesNotLookWhole() {
    assertThatThrownBy(() -> get("/broken")).isInstanceOf(IOException.class);
  }

  @Test
  void eventsArriveAsBrowsersReadThem() throws Exception {
    HttpResponse<String> answer = get("/events");
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(answer.body()).isEqualTo("event: plan\nid: 7\ndata: one\ndata: two\n\n:\n\n");
  }

  @Test
  void eventsReachAClientOfHttp10AsTheyAre() throws Exception {
    assertThat(raw("GET /events HTTP/1.0\r\n\r\n"))
        .doesNotContain("Transfer-Encoding")
        .endsWith("\r\n\r\nevent: plan\nid: 7\ndata: one\ndata: two\n\n:\n\n");
  }

  @Test
  void escapesInPathAndQueryAreDecoded() throws Exception {
    assertThat(get("/name/a%2Fb%20%C3%A4?q=1%2B1+2").body()).isEqualTo("a/b ä|1+1+2");
    assertThat(get("/%6Fpen").body()).isEqualTo("open");
  }

  @Test
  void escapesAreDecodedOnceAndNeverMakeASegment() throws Exception {
    assertThat(get("/name/%252F").body()).isEqualTo("%2F|null");
    assertThat(get("/open/door").body()).isEqualTo("door");
    assertThat(get("/open%2Fdoor").statusCode()).isEqualTo(404);
    assertThat(get("/name/..%2F..%2Fopen").body()).isEqualTo("../../open|null");
    assertThat(get("/name/a?q=1&q=2&r&=3&q").body()).as("the last counts").isEqualTo("a|2");
    assertThat(get("/name/a?q=").body()).isEqualTo("a|");
  }

  @Test
  void malformedEscapesAreRefused() throws Exception {
    for (String target :
        List.of(
            "/name/%",
            "/name/%4",
            "/name/%zz",
            "/name/%ff",
            "/name/%00",
            "/open?q=%c3",
            "/name/%c0%af",
            "/name/%ed%a0%80",
            "/name/%7f",
            "/name/\u00e4")) {
      String answer = raw("GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n");
      assertThat(answer).as(target).startsWith("HTTP/1.1 400 ").contains("\"remedy\"");
    }
  }

  @Test
  void aHeadIsBoundedAsAWhole() throws Exception {
    String fields = ("X-Field: " + "x".repeat(7_000) + "\r\n").repeat(5);
    String answer = raw("GET /open HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n");
    assertThat(answer).startsWith("HTTP/1.1 431 ");
  }

  @Test
  void aHeadThatTricklesIsCut() throws Exception {
    Duration minute = Duration.ofMinutes(1);
    try (TestStack strict = new TestStack(tokens, minute, Duration.ofMillis(50));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), strict.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("GET /open HTT".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aBodyBeyondTheLimitOfItsCallIsRefused() throws Exception {
    String head = "POST /echo HTTP/1.1\r\nHost: t\r\n";
    assertThat(raw(head + "Content-Length: 100001\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ")
        .contains("100000 bytes at most");
    String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
    String chunked = "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(4) + "0\r\n\r\n";
    assertThat(raw(head + chunked)).startsWith("HTTP/1.1 413 ").contains("100000 bytes at most");
    assertThat(raw(head + "Content-Length: 3\r\n\r\nabc")).endsWith("abc");
    String fits = "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(2) + "0\r\n\r\n";
    assertThat(raw(head + fits)).endsWith("x".repeat(2 * 0x8000));
  }

  @Test
  void eachRoleGetsWhatTheTableSays() throws Exception {
    assertThat(get("/open").statusCode()).isEqualTo(200);
    assertThat(get("/jobs").statusCode()).isEqualTo(401);
    assertThat(get("/jobs", "Authorization", "Bearer " + TOKEN).body()).isEqualTo("in");
    HttpResponse<String> denied = get("/jobs", "Authorization", "Bearer view-view-view-view");
    assertThat(denied.statusCode()).isEqualTo(403);
    assertThat(denied.body()).contains("eve").contains("job or operator");
    HttpResponse<String> unknown = get("/jobs", "Authorization", "Bearer nobody-knows-this");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.body()).doesNotContain("nobody-knows-this");
  }

  @Test
  void aChangedFileOfTokensCountsWithoutARestart() throws Exception {
    String[] fresh = {"Authorization", "bearer a-token-that-is-new"};
    assertThat(get("/jobs", fresh).statusCode()).isEqualTo(401);
    Files.writeString(tokens, "a-token-that-is-new job other\n");
    Await.until("the new token counts", () -> get("/jobs", fresh).statusCode() == 200);
    assertThat(get("/jobs", "Authorization", "Bearer " + TOKEN).statusCode()).isEqualTo(401);
  }

  @Test
  void unknownPathsAndMethodsAreToldApart() throws Exception {
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
    assertThat(raw("DELETE /open HTTP/1.1\r\nHost: t\r\n\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .contains("Allow: GET, HEAD");
  }

  @Test
  void theControlClientGoesOnToTheNextManagerAndRemembersIt() throws Exception {
    URI gone;
    try (java.net.ServerSocket closed = new java.net.ServerSocket(0)) {
      gone = URI.create("http://127.0.0.1:" + closed.getLocalPort());
    }
    ClientCredentials own = ClientCredentials.of(Map.of(ClientCredentials.TOKEN, TOKEN));
    Duration bound = Duration.ofSeconds(5);
    try (ControlClient client = new ControlClient(List.of(gone, server.uri("")), own, bound)) {
      ControlClient.Answer answer = client.get("/jobs", bound);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(client.address()).isEqualTo(server.uri(""));
    }
    try (ControlClient client = new ControlClient(List.of(gone), own, bound)) {
      assertThatThrownBy(() -> client.get("/jobs", bound)).isInstanceOf(IOException.class);
    }
  }
}
