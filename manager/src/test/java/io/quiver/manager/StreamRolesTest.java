package io.quiver.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import io.quiver.http.AccessControl;
import io.quiver.http.Exchange;
import io.quiver.protocol.control.ControlJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths are seen by operators and by the user whose doors read them, and by nobody else. */
final class StreamRolesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final String SECRET = "s3://b/alices-secret";
  private static final String SHARED = "s3://b/shared";
  private static final String SECRET_KEY = "00000000000000000000000000000001";
  private static final String SHARED_KEY = "00000000000000000000000000000002";

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private CacheManager manager;
  private ManagerServer server;

  @BeforeEach
  void start() throws Exception {
    Path tokens =
        Files.writeString(
            folder.resolve("tokens"),
            """
            token-of-the-operator operator root
            token-of-alice-viewing viewer alice
            token-of-bob-viewing-it viewer bob
            token-of-carol-viewing viewer carol
            token-of-alices-doors door alice
            token-of-bobs-doors-too door bob
            token-of-all-servers server s
            """);
    manager = CacheManager.start(CacheManagerTest.PATIENT);
    server =
        ManagerServer.start(
            new ManagerServer.Listen(
                "127.0.0.1", 0, Optional.empty(), AccessControl.of(tokens), Optional.empty()),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
    post(
        "token-of-all-servers",
        "/v1/servers/s/heartbeat",
        new ServerReport("s", "i", "http://localhost:1", 1 << 30, Map.of(), 0, false));
    report(
        "token-of-alices-doors", "alice", summary(SECRET_KEY, SECRET), summary(SHARED_KEY, SHARED));
    report("token-of-bobs-doors-too", "bob", summary(SHARED_KEY, SHARED));
  }

  @AfterEach
  void stop() {
    server.close();
    manager.close();
    client.close();
  }

  private static StreamSummary summary(String key, String label) {
    Recognition random =
        new Recognition(AccessPattern.RANDOM, Recognition.Evidence.GAPS, 0.1, 0.2, 100);
    return new StreamSummary(
        key, label, random, 3, 100, 1_000_000, 1, 30, 0.5, 0.001, 0.03, 0, 80, 20, 0, 0, 0, null);
  }

  private void report(String token, String user, StreamSummary... streams) throws Exception {
    DoorReport report =
        new DoorReport(user + "-door", "i", 1, user, 0, 0, 0, 0, 0, 0, false, List.of(streams));
    assertThat(post(token, "/v1/doors/" + user + "-door/heartbeat", report)).isEqualTo(200);
  }

  private int post(String token, String path, Object body) throws Exception {
    return client
        .send(
            request(token, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(ControlJson.write(body)))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private HttpRequest.Builder request(String token, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(BOUND)
        .header("Authorization", "Bearer " + token);
  }

  private String get(String token, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(request(token, path).GET().build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** Returns the label of a stream as a caller is told. */
  private String label(String token, String key) throws Exception {
    JsonNode streams = MAPPER.readTree(get(token, "/v1/streams")).path("streams");
    for (JsonNode each : streams) {
      if (each.path("stream").asText().equals("stream." + key)) {
        return each.path("label").asText();
      }
    }
    throw new AssertionError("no stream " + key + " in " + streams);
  }

  @Test
  void operatorsSeeAllPaths() throws Exception {
    assertThat(label("token-of-the-operator", SECRET_KEY)).isEqualTo(SECRET);
    assertThat(label("token-of-the-operator", SHARED_KEY)).isEqualTo(SHARED);
  }

  @Test
  void usersSeeThePathsOfTheirOwnDoors() throws Exception {
    assertThat(label("token-of-alice-viewing", SECRET_KEY)).isEqualTo(SECRET);
    assertThat(label("token-of-bob-viewing-it", SHARED_KEY)).isEqualTo(SHARED);
    assertThat(label("token-of-bob-viewing-it", SECRET_KEY)).as("another's").isEmpty();
    assertThat(label("token-of-carol-viewing", SHARED_KEY)).as("no door of hers").isEmpty();
  }

  @Test
  void metricsNameStreamsByTheirKeys() throws Exception {
    String metrics = get("token-of-carol-viewing", "/metrics");
    assertThat(metrics)
        .contains("\nquiver_plan_doors 2\n")
        .contains("\nquiver_plan_streams{pattern=\"random\"} 2\n")
        .containsPattern(
            "\n"
                + "quiver_plan_stream_quota_bytes\\{stream=\"stream.0*1\",pattern=\"random\"}"
                + " [1-9]\\d+\n")
        .contains(
            "\nquiver_plan_stream_reads_per_second{stream=\"stream."
                + SHARED_KEY
                + "\",pattern=\"random\"} 60.0\n")
        .doesNotContain("s3://");
    assertThat(metrics.lines().filter(line -> !line.startsWith("#")))
        .allMatch(line -> line.matches("quiver_[a-z_]+(\\{[^}]*})? (NaN|[0-9.E-]+)"));
  }

  @Test
  void noOtherCallTellsPathsToOthers() throws Exception {
    assertThat(
            post(
                "token-of-the-operator",
                "/v1/paths/preference",
                new PathPreferenceChange(SECRET, CachePreference.PIN, null)))
        .isEqualTo(200);
    for (String path :
        List.of(
            "/v1/streams",
            "/v1/doors",
            "/v1/plan",
            "/v1/plan/review",
            "/v1/preferences",
            "/metrics")) {
      assertThat(get("token-of-carol-viewing", path)).as(path).doesNotContain("secret");
    }
    assertThat(get("token-of-the-operator", "/v1/preferences")).contains(SECRET);
    assertThat(post("token-of-alice-viewing", "/v1/paths/preference", Map.of("path", SECRET)))
        .as("preferences are the operators'")
        .isEqualTo(403);
  }
}
