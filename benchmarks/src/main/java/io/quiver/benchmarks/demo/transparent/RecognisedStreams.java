package io.quiver.benchmarks.demo.transparent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quiver.node.EmbeddedCluster;
import io.quiver.node.Ticker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the manager once a second which streams it knows, as {@code quiver streams} does. */
final class RecognisedStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecognisedStreams.class);
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String UNKNOWN = "unknown";

  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = JsonMapper.builder().build();
  // Guarded by itself.
  private final Map<String, TransparentResult.Stream> known = new TreeMap<>();
  private final Optional<Ticker> asking;

  RecognisedStreams(Optional<EmbeddedCluster> cluster) {
    this.asking = cluster.map(running -> Ticker.every(ASK_EVERY, () -> ask(running.uri())));
  }

  private void ask(URI manager) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(manager.resolve("/v1/streams")).timeout(PATIENCE).build();
      String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      JsonNode streams = json.readTree(answer).path("streams");
      synchronized (known) {
        streams.forEach(this::note);
      }
    } catch (IOException failure) {
      LOG.debug("the manager did not tell its streams: {}", failure.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps the latest answer about each stream that was recognised. */
  private void note(JsonNode stream) {
    String label = stream.path("label").asText();
    String pattern = stream.path("pattern").asText();
    if (!label.isEmpty() && !pattern.equals(UNKNOWN)) {
      known.put(
          label,
          new TransparentResult.Stream(
              label,
              pattern,
              stream.path("recognition").path("evidence").asText(),
              stream.path("quota_bytes").asLong(),
              stream.path("why").asText()));
    }
  }

  /** Returns the streams that were recognised so far, in the order of their folders. */
  List<TransparentResult.Stream> known() {
    synchronized (known) {
      return List.copyOf(known.values());
    }
  }

  @Override
  public void close() {
    asking.ifPresent(Ticker::close);
    http.close();
  }
}
