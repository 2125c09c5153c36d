package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.BindFrame;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.Wire;
import io.quiver.protocol.control.ControlJson;
import io.quiver.server.TestClient.Answer;
import io.quiver.testkit.StalledClients;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Questions, plans and the heads of inserts are read within one budget. */
final class ControlBodiesTest {
  private static final long CONTROL_BYTES = 32 << 20;
  private static final ContentHash HASH = ContentHash.ofContent(new byte[] {7});

  private static String head(String line, long bytes) {
    return line
        + " HTTP/1.1\r\nHost: t\r\n"
        + TestClient.JSON
        + "Content-Length: "
        + bytes
        + "\r\n\r\n";
  }

  private static byte[] longestQuestion() {
    return TestClient.bytes(
        new AskFrame(Collections.nCopies(Wire.MAX_BATCH, HASH), Wire.MAX_BATCH, false));
  }

  private static byte[] headOfLongestOffer() {
    Offer empty = new Offer(ContentHash.ofContent(new byte[0]), SpaceId.DEFAULT, 0);
    return TestClient.bytes(new OfferFrame(Collections.nCopies(Wire.MAX_BATCH, empty)));
  }

  private static StalledClients stalled(TestServer server, int count, String head, int zeros)
      throws Exception {
    int before = server.server.connections();
    StalledClients clients =
        new StalledClients(server.server.address().getPort(), count, head, zeros);
    TestServer.await("all connected", () -> server.server.connections() == before + count);
    return clients;
  }

  @Test
  void bodiesThatAreAnnouncedButNotSentTakeNothingFromOthers() throws Exception {
    byte[] offer = headOfLongestOffer();
    try (TestServer server = new TestServer();
        StalledClients questions =
            stalled(server, 70, head("POST /v1/blobs/get", AskFrame.MAX_BYTES), 0);
        StalledClients plans =
            stalled(server, 57, head("POST /v1/spaces", ControlJson.MAX_BYTES), 0);
        StalledClients inserts = stalled(server, 57, head("PUT /v1/blobs", offer.length), 0);
        TestClient client = server.client()) {
      assertThat(List.of(questions, plans, inserts)).hasSize(3);
      TestServer.await("all are read", () -> server.metrics().requestsInFlight() == 184);
      assertThat(server.gauge("quiver_control_bytes")).isZero();
      assertThat(client.ask("POST /v1/blobs/lookup", "", longestQuestion()).status())
          .isEqualTo(200);
      assertThat(client.ask("PUT /v1/blobs", "", offer).status()).isEqualTo(200);
    }
  }

  @Test
  void aBodyThatHasBegunHoldsItsLength() throws Exception {
    try (TestServer server = new TestServer()) {
      byte[] offer = headOfLongestOffer();
      int sent = 100_000;
      try (StalledClients question =
          stalled(server, 1, head("POST /v1/blobs/get", AskFrame.MAX_BYTES), sent)) {
        assertThat(question).isNotNull();
        TestServer.await("it is held", () -> server.gauge("quiver_control_bytes") >= sent);
        assertThat(server.gauge("quiver_control_bytes")).isLessThan(AskFrame.MAX_BYTES + 1_024);
      }
      TestServer.await("it is given back", () -> server.gauge("quiver_control_bytes") == 0);
      try (TestClient insert = server.client()) {
        insert.send(head("PUT /v1/blobs", offer.length)).send(java.util.Arrays.copyOf(offer, sent));
        TestServer.await("it is held", () -> server.gauge("quiver_control_bytes") >= sent);
        assertThat(server.gauge("quiver_control_bytes")).isLessThan(offer.length + 1_024);
      }
      server.assertHealthyAndEmpty();
    }
  }

  @Test
  void stalledBodiesGiveWayWhenOthersWaitForTheBudget() throws Exception {
    try (TestServer server =
            new TestServer(config ->
                config
                    .withStallTimeout(Duration.ofSeconds(4))
                    .withBudgetTimeout(Duration.ofSeconds(30)));
        StalledClients questions =
            stalled(
                server,
                31, // fill the half that one caller may have
                head("POST /v1/blobs/get", AskFrame.MAX_BYTES),
                AskFrame.MAX_BYTES - 1);
        TestClient client = server.client()) {
      assertThat(questions).isNotNull();
      Answer answer = client.ask("POST /v1/blobs/lookup", "", longestQuestion());
      assertThat(answer.status()).isEqualTo(200);
      assertThat(server.gauge("quiver_control_bytes")).isLessThanOrEqualTo(CONTROL_BYTES);
    }
  }

  @Test
  void aBodyBeyondTheLimitIsRefusedAndTheLimitNamed() throws Exception {
    try (TestServer server = new TestServer()) {
      refuses(server, "POST /v1/blobs/get", GetFrame.MAX_BYTES);
      refuses(server, "POST /v1/blobs/lookup", AskFrame.MAX_BYTES);
      refuses(server, "POST /v1/names/resolve", ResolveFrame.MAX_BYTES);
      refuses(server, "PUT /v1/names", BindFrame.MAX_BYTES);
      refuses(server, "POST /v1/spaces", ControlJson.MAX_BYTES);
      server.assertHealthyAndEmpty();
    }
  }

  private static void refuses(TestServer server, String line, int limit) throws Exception {
    byte[] tooLong = new byte[limit + 1];
    try (TestClient client = server.client()) {
      Answer announced = client.send(head(line, tooLong.length)).answer();
      assertThat(announced.status()).isEqualTo(413);
      assertThat(announced.text()).contains(limit + " bytes at most");
    }
    try (TestClient client = server.client()) {
      client.send(
          line
              + " HTTP/1.1\r\nHost: t\r\n"
              + TestClient.JSON
              + "Transfer-Encoding: chunked\r\n\r\n");
      Answer chunked = client.send(TestClient.chunked(tooLong, 100_000)).answer();
      assertThat(chunked.status()).isEqualTo(413);
      assertThat(chunked.text()).contains(limit + " bytes at most");
    }
  }

  @Test
  void aHeadThatComesInPiecesIsReadWhole() throws Exception {
    byte[] offer = headOfLongestOffer();
    try (TestServer server = new TestServer();
        TestClient client = server.client()) {
      client.send("PUT /v1/blobs HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
      Answer answer = client.send(TestClient.chunked(offer, 4_099)).answer();
      assertThat(answer.status()).isEqualTo(200);
    }
  }
}
