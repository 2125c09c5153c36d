package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.GetRequest.Verification;
import io.quiver.client.testing.Frames;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.ServerLink;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import io.quiver.testkit.Await;
import io.quiver.testkit.HostileServer;
import io.quiver.testkit.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that lie, stall, break and vanish: always misses with a reason, never an exception. */
final class FailingServersTest {
  private static final byte[] CONTENT = "some bytes".getBytes(StandardCharsets.US_ASCII);
  private static final ContentHash HASH = ContentHash.ofContent(CONTENT);
  private static final List<ContentHash> HASHES = List.of(HASH, HASH, HASH);

  @Test
  void aPortWithoutAServerIsUnreachable() throws IOException {
    URI nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    try (CacheClient client = CacheClient.connect(config(nobody))) {
      requireFailure(client, FailureKind.UNREACHABLE);
    }
  }

  @Test
  void aHostWithoutAnAddressIsUnreachable() {
    try (CacheClient client =
        CacheClient.connect(config(URI.create("http://no-such-host.invalid:1")))) {
      requireFailure(client, FailureKind.UNREACHABLE);
    }
  }

  static Stream<Arguments> scripts() {
    ByteBuffer good = Frames.hits(3, CONTENT, 0);
    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + good.remaining() + "\r\n";
    return Stream.of(
        broken("closes at once", c -> {}),
        broken("resets after the question", c -> ask(c).reset()),
        protocol("ends inside the head", c -> ask(c).send("HTTP/1.1 200 O")),
        broken("ends after the head", c -> ask(c).send(head + "\r\n")),
        broken("ends inside the rows", c -> cut(ask(c), head, good, 30)),
        broken("ends inside a payload", c -> cut(ask(c), head, good, good.remaining() - 1)),
        protocol("speaks something else", c -> ask(c).send("220 mail ready\r\n\r\n")),
        protocol("sends noise", c -> ask(c).send("\u0000\u0001\u00ff".repeat(10_000))),
        protocol("sends an endless line", c -> ask(c).send("HTTP/1.1 200 " + "x".repeat(20_000))),
        protocol(
            "sends too many headers", c -> ask(c).send(head + "A: b\r\n".repeat(100) + "\r\n")),
        protocol(
            "answers with status zero",
            c -> ask(c).send("HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n")),
        protocol("gives no length", c -> ask(c).send("HTTP/1.1 200 OK\r\n\r\n")),
        protocol("gives two lengths", c -> ask(c).send(head + "Content-Length: 3\r\n\r\n")),
        protocol("gives a negative length", c -> length(ask(c), "-5")),
        protocol("gives a length that is no number", c -> length(ask(c), "many")),
        protocol("gives an absurd length", c -> length(ask(c), "99999999999999999999")),
        protocol("chunks", c -> ask(c).send(head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
        protocol("answers too little", c -> ask(c).answer(ByteBuffer.allocate(10))),
        protocol("answers zeros", c -> ask(c).answer(ByteBuffer.allocate(200))),
        protocol("answers another question", c -> ask(c).answer(Frames.hits(2, CONTENT, 0))),
        protocol("answers with surplus", c -> ask(c).answer(longer(good))),
        protocol(
            "interim answers only", c -> ask(c).send("HTTP/1.1 100 Continue\r\n\r\n".repeat(9))),
        refused("refuses", c -> status(ask(c), "400 Bad Request", "")),
        refused("errs", c -> status(ask(c), "500 Internal Server Error", "")),
        Arguments.of(
            "is busy for long",
            FailureKind.BUSY,
            (HostileServer.Script) c -> status(ask(c), "503 Busy", "Retry-After: 3600\r\n")),
        refused("redirects", c -> status(ask(c), "302 Found", "Location: /elsewhere\r\n")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scripts")
  void aBadAnswerIsAMissWithAReason(String name, FailureKind kind, HostileServer.Script script) {
    try (HostileServer server = new HostileServer(script);
        CacheClient client = CacheClient.connect(config(server.uri()).withRetries(1))) {
      requireFailure(client, kind);
      assertThat(server.connections()).as(name).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void anAnswerLargerThanTheBudgetIsDeferredWithAReason() {
    try (HostileServer server = new HostileServer(c -> length(ask(c), "4000000000"));
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      try (BlobAnswer answer = client.get(HASHES)) {
        assertThat(answer.count(AskStatus.DEFERRED)).isEqualTo(3);
        assertThat(answer.failures().getFirst().kind()).isEqualTo(FailureKind.BUFFERS);
        assertThat(answer.failures().getFirst().reason()).contains("4000000000");
      }
    }
  }

  @Test
  void aSilentServerCostsOneTimeoutAndIsThenLeftAlone() {
    try (HostileServer server = new HostileServer(c -> ask(c).silence());
        CacheClient client =
            CacheClient.connect(config(server.uri()).withRequestTimeout(Duration.ofMillis(500)))) {
      requireFailure(client, FailureKind.TIMEOUT);
      requireFailure(client, FailureKind.RESTING);
      requireFailure(client, FailureKind.RESTING);
      assertThat(server.requests()).isEqualTo(1);
      assertThat(client.statistics().retries()).isZero();
    }
  }

  @Test
  void aTrickleIsTooLateToo() {
    HostileServer.Script trickle =
        c -> {
          ByteBuffer good = Frames.hits(3, CONTENT, 0);
          ask(c).send("HTTP/1.1 200 OK\r\nContent-Length: " + good.remaining() + "\r\n\r\n");
          while (good.remaining() > 1) {
            c.send(good.slice(good.position(), 1));
            good.position(good.position() + 1);
            LockSupport.parkNanos(20_000_000);
          }
          c.silence();
        };
    try (HostileServer server = new HostileServer(trickle);
        CacheClient client =
            CacheClient.connect(config(server.uri()).withRequestTimeout(Duration.ofMillis(300)))) {
      requireFailure(client, FailureKind.TIMEOUT);
    }
  }

  @Test
  void aServerThatComesBackIsUsedAgain() {
    try (HostileServer server =
            new HostileServer(c -> {
              if (c.number() < 2) {
                c.reset();
              }
              while (true) {
                c.answer(Frames.hits(Frames.ask(c.request()).hashes().size(), CONTENT, 0));
              }
            });
        CacheClient client = CacheClient.connect(config(server.uri()).withRetries(0))) {
      Await.until("the server is used again", () -> hits(client) == 3);
      assertThat(server.connections()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aBrokenConnectionIsRetriedOnAnother() {
    try (HostileServer server = new HostileServer(c -> goodAfter(c, 1));
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      assertThat(hits(client)).isEqualTo(3);
      assertThat(client.statistics().retries()).isEqualTo(1);
      assertThat(client.statistics().failures()).isZero();
    }
  }

  @Test
  void aConnectionThatTheServerClosedMeanwhileCostsNoRetry() {
    HostileServer.Script once =
        c -> c.answer(Frames.hits(Frames.ask(c.request()).hashes().size(), CONTENT, 0));
    try (HostileServer server = new HostileServer(once);
        CacheClient client = CacheClient.connect(config(server.uri()).withRetries(0))) {
      for (int i = 0; i < 5; i++) {
        assertThat(hits(client)).isEqualTo(3);
      }
      assertThat(server.connections()).isEqualTo(5);
      assertThat(client.statistics().retries()).isZero();
    }
  }

  @Test
  void aBusyServerIsAskedAgainAfterTheTimeItNamed() {
    HostileServer.Script busyOnce =
        c -> {
          ByteBuffer request = c.request();
          if (c.number() == 0) {
            status(c, "429 Too Many Requests", "Retry-After: 1\r\n");
          }
          c.answer(Frames.hits(Frames.ask(request).hashes().size(), CONTENT, 0));
        };
    try (HostileServer server = new HostileServer(busyOnce);
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      long start = System.nanoTime();
      assertThat(hits(client)).isEqualTo(3);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_000_000_000L);
    }
  }

  @Test
  void damagedBlobsAreAskedForOnceMoreAndThenAreMisses() {
    HostileServer.Script damaged =
        c -> {
          while (true) {
            c.answer(Frames.hits(Frames.ask(c.request()).hashes().size(), CONTENT, 1));
          }
        };
    try (HostileServer server = new HostileServer(damaged);
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      try (BlobAnswer answer = client.get(HASHES)) {
        assertThat(answer.count(AskStatus.MISS)).isEqualTo(3);
        assertThat(answer.failures()).isEmpty();
      }
      assertThat(server.requests()).isEqualTo(2);
      assertThat(client.statistics().mismatches()).isEqualTo(6);
      try (BlobAnswer answer = client.get(GetRequest.all(HASHES).verifiedBy(Verification.NONE))) {
        assertThat(answer.hits()).isEqualTo(3);
      }
    }
  }

  @Test
  void aBlobDamagedOnceIsHealedByAskingAgain() {
    HostileServer.Script damagedOnce =
        c -> {
          for (int error = 1; ; error = 0) {
            c.answer(Frames.hits(Frames.ask(c.request()).hashes().size(), CONTENT, error));
          }
        };
    try (HostileServer server = new HostileServer(damagedOnce);
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      assertThat(hits(client)).isEqualTo(3);
      assertThat(client.statistics().mismatches()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SAMPLED", "SHA256"})
  void aServerThatSendsWrongBytesWithARightChecksumIsNotAskedAgain(Verification verification) {
    HostileServer.Script impostor =
        c -> {
          while (true) {
            c.answer(Frames.hits(Frames.ask(c.request()).hashes().size(), new byte[5], 0));
          }
        };
    try (LogCapture said = LogCapture.warnings(ServerLink.class);
        HostileServer server = new HostileServer(impostor);
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      GetRequest question = GetRequest.all(HASHES).verifiedBy(verification);
      for (int i = 0; i < 3; i++) {
        try (BlobAnswer answer = client.get(question)) {
          assertThat(answer.count(AskStatus.MISS)).isEqualTo(3);
          assertThat(answer.failures().getFirst().kind()).isEqualTo(FailureKind.FORGED);
        }
      }
      assertThat(server.requests()).isEqualTo(1);
      assertThat(said.messages()).singleElement().asString().contains("find out who runs it");
    }
  }

  @Test
  void aServerThatBeginsToForgeIsFoundOutBySamples() {
    byte[] forged = "other".getBytes(StandardCharsets.US_ASCII);
    int honest = 2 * ReadRules.HASHED_FIRST;
    AtomicInteger sent = new AtomicInteger();
    HostileServer.Script turncoat =
        c -> {
          while (true) {
            int count = Frames.ask(c.request()).hashes().size();
            c.answer(Frames.hits(count, sent.addAndGet(count) > honest ? forged : CONTENT, 0));
          }
        };
    try (HostileServer server = new HostileServer(turncoat);
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      GetRequest question = GetRequest.all(HASHES).verifiedBy(Verification.SAMPLED);
      // The chance that a sample of one in 64 spares 30,000 blobs is below 10^-200.
      int hits = 3;
      for (int i = 0; i < 10_000 && hits > 0; i++) {
        try (BlobAnswer answer = client.get(question)) {
          hits = answer.hits();
        }
      }
      assertThat(hits).isZero();
    }
  }

  @Test
  void moreThanWasWantedIsRefused() {
    HostileServer.Script generous =
        c -> c.answer(Frames.hits(Frames.ask(c.request()).hashes().size(), CONTENT, 0));
    try (HostileServer server = new HostileServer(generous);
        CacheClient client = CacheClient.connect(config(server.uri()).withRetries(0));
        BlobAnswer answer = client.get(GetRequest.any(1, HASHES))) {
      assertThat(answer.hits()).isZero();
      assertThat(answer.failures().getFirst().kind()).isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Test
  void anUnansweredPutSaysThatNobodyKnows() {
    try (HostileServer server = new HostileServer(c -> ask(c).reset());
        CacheClient client = CacheClient.connect(config(server.uri()).withRetries(0))) {
      PutAnswer answer = client.put(List.of(Blob.of(ByteBuffer.wrap(CONTENT))));
      assertThat(answer.receipt(0)).isEmpty();
      assertThat(answer.here(0)).isFalse();
      assertThat(answer.failures()).hasSize(1);
    }
  }

  @Test
  void anEarlyRefusalOfALargePutIsUnderstood() {
    HostileServer.Script refuse =
        c -> {
          c.send(
              "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo much");
          c.silence();
        };
    try (HostileServer server = new HostileServer(refuse);
        CacheClient client = CacheClient.connect(config(server.uri()))) {
      PutAnswer answer = client.put(List.of(Blob.of(ByteBuffer.allocate(8 << 20))));
      assertThat(answer.failures().getFirst().kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(answer.failures().getFirst().reason()).contains("413").contains("too much");
    }
  }

  private static void requireFailure(CacheClient client, FailureKind kind) {
    try (BlobAnswer answer = client.get(HASHES)) {
      assertThat(answer.count(AskStatus.MISS)).isEqualTo(3);
      assertThat(answer.failures()).hasSize(1);
      assertThat(answer.failures().getFirst().kind())
          .as(answer.failures().getFirst().reason())
          .isEqualTo(kind);
    }
  }

  private static int hits(CacheClient client) {
    try (BlobAnswer answer = client.get(HASHES)) {
      return answer.hits();
    }
  }

  private static void goodAfter(HostileServer.Conversation c, int failures) throws IOException {
    ByteBuffer request = c.request();
    if (c.number() < failures) {
      c.reset();
      return;
    }
    c.answer(Frames.hits(Frames.ask(request).hashes().size(), CONTENT, 0));
  }

  private static HostileServer.Conversation ask(HostileServer.Conversation c) throws IOException {
    c.request();
    return c;
  }

  private static void cut(HostileServer.Conversation c, String head, ByteBuffer body, int bytes)
      throws IOException {
    c.send(head + "\r\n");
    c.send(body.slice(0, bytes));
  }

  private static void length(HostileServer.Conversation c, String length) throws IOException {
    c.send("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n");
    c.silence();
  }

  private static void status(HostileServer.Conversation c, String status, String headers)
      throws IOException {
    c.send("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: 4\r\n\r\nsome");
    c.request();
  }

  private static ByteBuffer longer(ByteBuffer body) {
    return ByteBuffer.allocate(body.remaining() + 1).put(body.duplicate()).rewind();
  }

  private static Arguments broken(String name, HostileServer.Script script) {
    return Arguments.of(name, FailureKind.BROKEN, script);
  }

  private static Arguments protocol(String name, HostileServer.Script script) {
    return Arguments.of(name, FailureKind.PROTOCOL, script);
  }

  private static Arguments refused(String name, HostileServer.Script script) {
    return Arguments.of(name, FailureKind.REFUSED, script);
  }

  private static ClientConfig config(URI server) {
    return ClientConfig.of(List.of(server))
        .withParanoid(true)
        .withBufferBytes(1 << 20)
        .withConnectTimeout(Duration.ofSeconds(20))
        .withRequestTimeout(Duration.ofSeconds(30));
  }
}
