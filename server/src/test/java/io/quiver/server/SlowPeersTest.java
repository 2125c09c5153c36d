package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskFrame;
import io.quiver.server.metrics.ServerCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Peers that stand still are cut; the others do not notice. */
class SlowPeersTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void aHeadThatDoesNotEndIsCut() throws Exception {
    expectCut(
        config -> patient(config).withRequestTimeout(SHORT),
        client -> client.send("GET /healthz HTTP/1.1\r\nHost: "));
  }

  @Test
  void aHeadThatTricklesIsCutAllTheSame() throws Exception {
    try (TestServer server = new TestServer(config -> patient(config).withRequestTimeout(SHORT));
        TestClient client = server.client()) {
      client.send("GET /healthz HTTP/1.1\r\n");
      TestServer.await("the connection is cut", () -> cutAfterTrickle(server, client));
      assertThat(client.endsWithoutAnswer()).isTrue();
      server.assertHealthyAndEmpty();
    }
  }

  @Test
  void aConnectionThatAsksNothingIsCut() throws Exception {
    expectCut(config -> patient(config).withIdleTimeout(SHORT), client -> client);
  }

  @Test
  void aBodyThatDoesNotComeIsCut() throws Exception {
    String head = "PUT /v1/blobs/" + "0".repeat(64) + " HTTP/1.1\r\nHost: t\r\n";
    expectCut(
        config -> patient(config).withStallTimeout(SHORT),
        client -> client.send(head + "Content-Length: 1000000\r\n\r\nabc"));
  }

  @Test
  void aReaderThatDoesNotReadIsCutWhileOthersAreServed() throws Exception {
    try (TestServer server = new TestServer(config -> patient(config).withStallTimeout(SHORT));
        TestClient slow = server.client();
        TestClient quick = server.client()) {
      byte[] content = server.stored(new Random(3), 1 << 20);
      ContentHash hash = ContentHash.ofContent(content);
      slow.request("POST /v1/blobs/get", "", question(hash, 60));
      TestServer.await("the answer stands still", () -> server.budget().heldBytes() > 0);
      int served = 0;
      while (server.metrics().value(ServerCounter.CONNECTIONS_CUT) == 0) {
        assertThat(quick.get(Collections.nCopies(2, hash), 2).payload()).hasSize(2 << 20);
        served++;
        assertThat(served).as("answers before the slow reader was cut").isLessThan(100_000);
      }
      assertThat(served).isPositive();
      assertThat(quick.ask("GET /healthz").status()).isEqualTo(200);
      quick.hangUp();
      server.assertHealthyAndEmpty();
    }
  }

  @Test
  void stalledReadersGiveWaySoonWhenOthersWaitForTheBudget() throws Exception {
    long answer = 32 << 20;
    try (TestServer server =
            new TestServer(config ->
                patient(config)
                    .withMaxResponseBytes(answer)
                    .withInFlightBytes(2 * answer, answer)
                    .withBudgetTimeout(Duration.ofSeconds(30))
                    .withStallTimeout(Duration.ofSeconds(4)));
        TestClient slow = server.client();
        TestClient quick = server.client()) {
      byte[] content = server.stored(new Random(3), 1 << 20);
      ContentHash hash = ContentHash.ofContent(content);
      slow.request("POST /v1/blobs/get", "", question(hash, 32));
      TestServer.await("the budget is used up", () -> server.budget().heldBytes() == answer);
      long began = System.nanoTime();
      assertThat(quick.get(Collections.nCopies(1, hash), 1).payload()).isEqualTo(content);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
      assertThat(server.metrics().value(ServerCounter.CONNECTIONS_CUT)).isEqualTo(1);
    }
  }

  /** Runs a peer until it stands still. */
  private interface Peer {
    TestClient act(TestClient client) throws IOException;
  }

  private static void expectCut(UnaryOperator<ServerConfig> change, Peer peer) throws Exception {
    try (TestServer server = new TestServer(change);
        TestClient client = server.client();
        TestClient other = server.client()) {
      peer.act(client);
      assertThat(client.endsWithoutAnswer()).isTrue();
      other.hangUp();
      assertThat(server.metrics().value(ServerCounter.CONNECTIONS_CUT)).isPositive();
      server.assertHealthyAndEmpty();
    }
  }

  private static boolean cutAfterTrickle(TestServer server, TestClient client) {
    try {
      client.send("X: y\r\n".substring(0, 1));
    } catch (IOException e) {
      return true;
    }
    return server.metrics().value(ServerCounter.CONNECTIONS_CUT) > 0;
  }

  private static ServerConfig patient(ServerConfig config) {
    return config.withIdleTimeout(LONG).withRequestTimeout(LONG).withStallTimeout(LONG);
  }

  private static byte[] question(ContentHash hash, int times) {
    return TestClient.bytes(new AskFrame(Collections.nCopies(times, hash), times, false));
  }
}
