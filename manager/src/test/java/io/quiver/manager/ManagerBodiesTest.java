package io.quiver.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.report.ServerReport;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.http.Exchange;
import io.quiver.protocol.control.ControlJson;
import io.quiver.testkit.StalledClients;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documents sent to a running manager hold what has arrived of them, within one budget. */
final class ManagerBodiesTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  private CacheManager manager;
  private ManagerServer server;
  private ControlClient client;

  @BeforeEach
  void start() throws Exception {
    manager = CacheManager.start(ManagerConfig.DEFAULT);
    server =
        ManagerServer.start(
            ManagerServer.Listen.on("127.0.0.1", 0),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
    URI uri = URI.create("http://127.0.0.1:" + server.port());
    client = new ControlClient(List.of(uri), ClientCredentials.NONE, BOUND);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    manager.close();
  }

  private static String head(String call, int bytes) {
    String type = "Content-Type: application/json\r\n";
    return "POST "
        + call
        + " HTTP/1.1\r\nHost: t\r\n"
        + type
        + "Content-Length: "
        + bytes
        + "\r\n\r\n";
  }

  /** Returns a report that is too long to be read without a share of the budget. */
  private static byte[] longReport() {
    Map<String, Long> spaces = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      spaces.put("other-space-with-a-long-name-" + i, 1L);
    }
    return ControlJson.write(
        new ServerReport("s0", "i", "http://localhost:1", 200_000, spaces, 0, false));
  }

  @Test
  void bodiesThatAreAnnouncedButNotSentStopNobody() throws Exception {
    String jobs = head("/v1/jobs/a/heartbeat", ControlJson.MAX_BYTES);
    String servers = head("/v1/servers/a/heartbeat", ControlJson.MAX_BYTES);
    try (StalledClients first = new StalledClients(server.port(), 60, jobs, 0);
        StalledClients second = new StalledClients(server.port(), 60, servers, 10_000)) {
      assertThat(first).isNotEqualTo(second);
      for (int i = 0; i < 5; i++) {
        ControlClient.Answer answer = client.post("/v1/servers/s0/heartbeat", longReport(), BOUND);
        assertThat(answer.status()).isEqualTo(200);
      }
    }
  }

  @Test
  void aBodyBeyondTheLimitIsRefusedAndTheLimitNamed() throws Exception {
    byte[] tooLong = new byte[ControlJson.MAX_BYTES + 1];
    ControlClient.Answer answer = client.post("/v1/servers/s0/heartbeat", tooLong, BOUND);
    assertThat(answer.status()).isEqualTo(413);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains(ControlJson.MAX_BYTES + " bytes at most");
  }
}
