package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Wire;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks the counters of jobs, data sets and spaces one by one. */
class CountersTest extends RunningServerTest {
  private static final byte[] MISSING = {7, 7, 7};

  @Test
  void jobsAndDataSetsAreCountedApart() throws Exception {
    byte[] content = server.stored(new Random(1), 1_000);
    ContentHash here = ContentHash.ofContent(content);
    AskFrame ask = new AskFrame(List.of(here, ContentHash.ofContent(MISSING)), 2, true);
    client.blobs(Wire.GET_PATH, ask, "Quiver-Job: a\r\nQuiver-Dataset: images\r\n");
    client.blobs(Wire.GET_PATH, ask, "Quiver-Job: b\r\nQuiver-Dataset: images\r\n");
    client.blobs(Wire.LOOKUP_PATH, ask, "Quiver-Job: b\r\n");
    client.get(List.of(here), 1);

    JsonNode counters = counters();
    JsonNode a = counters.at("/jobs/0");
    JsonNode b = counters.at("/jobs/1");
    JsonNode images = counters.at("/datasets/0");
    assertThat(a.at("/job").asText()).isEqualTo("a");
    assertThat(a.at("/hits").asLong()).isEqualTo(1);
    assertThat(a.at("/misses").asLong()).isEqualTo(1);
    assertThat(a.at("/hit_bytes").asLong()).isEqualTo(1_000);
    assertThat(a.at("/claims_granted").asLong()).isEqualTo(1);
    assertThat(a.at("/claims_pending").asLong()).isZero();
    assertThat(b.at("/hits").asLong()).isEqualTo(2);
    assertThat(b.at("/hit_bytes").asLong()).isEqualTo(1_000);
    assertThat(b.at("/claims_pending").asLong()).isEqualTo(2);
    assertThat(images.at("/dataset").asText()).isEqualTo("images");
    assertThat(images.at("/hits").asLong()).isEqualTo(2);
    assertThat(counters.at("/total/hits").asLong()).isEqualTo(4);
    assertThat(counters.at("/jobs")).hasSize(2);
    assertThat(client.ask("GET /metrics").text())
        .contains("\nquiver_job_hits_total{job=\"b\"} 2\n")
        .contains("\nquiver_job_claims_granted_total{job=\"a\"} 1\n")
        .contains("\nquiver_dataset_misses_total{dataset=\"images\"} 2\n");
  }

  @Test
  void insertsAreCountedForJobAndSpace() throws Exception {
    SpaceId space = new SpaceId("ds-a");
    ContentHash hash = ContentHash.ofContent(MISSING);
    byte[] body =
        TestClient.bytes(
            new OfferFrame(
                List.of(
                    new Offer(hash, space, 3),
                    new Offer(hash, space, 3),
                    new Offer(ContentHash.ofContent(new byte[1]), space, 3))),
            MISSING,
            MISSING,
            MISSING);
    assertThat(client.ask("PUT /v1/blobs", "Quiver-Job: a\r\n", body).status()).isEqualTo(200);
    String path = "/v1/blobs/" + hash.toHex() + "?space=ds-b";
    assertThat(client.ask("PUT " + path, "Quiver-Job: a\r\n", MISSING).status()).isEqualTo(200);

    JsonNode counters = counters();
    JsonNode job = counters.at("/jobs/0");
    assertThat(job.at("/blobs_stored").asLong()).isEqualTo(1);
    assertThat(job.at("/stored_bytes").asLong()).isEqualTo(3);
    assertThat(job.at("/blobs_already_here").asLong()).isEqualTo(2);
    assertThat(job.at("/blobs_refused").asLong()).isEqualTo(1);
    assertThat(counters.at("/spaces/0/space").asText()).isEqualTo("ds-a");
    assertThat(counters.at("/spaces/0/blobs_stored").asLong()).isEqualTo(1);
    assertThat(counters.at("/spaces/0/blobs_refused").asLong()).isEqualTo(1);
    assertThat(counters.at("/spaces/1/blobs_already_here").asLong()).isEqualTo(1);
    assertThat(client.ask("GET /metrics").text())
        .contains("\nquiver_space_blobs_stored_total{space=\"ds-a\"} 1\n")
        .contains("\nquiver_job_stored_bytes_total{job=\"a\"} 3\n");
  }

  @Test
  void singleReadsCountForTheirJobToo() throws Exception {
    byte[] content = server.stored(new Random(1), 500);
    String path = "/v1/blobs/" + ContentHash.ofContent(content).toHex();
    client.ask("GET " + path, "Quiver-Job: shell\r\n", new byte[0]);
    assertThat(counters().at("/jobs/0/hit_bytes").asLong()).isEqualTo(500);
  }

  @Test
  void jobsBeyondTheBoundPushTheIdleOnesOut() throws Exception {
    AskFrame ask = new AskFrame(List.of(ContentHash.ofContent(MISSING)), 1, false);
    for (int i = 0; i < 1_005; i++) {
      client.blobs(Wire.LOOKUP_PATH, ask, "Quiver-Job: job-" + i + "\r\n");
    }
    JsonNode jobs = counters().at("/jobs");
    assertThat(jobs).hasSize(1_000);
    assertThat(jobs.findValuesAsText("job")).contains("job-1004", "job-5").doesNotContain("job-4");
  }

  @Test
  void aJobNameNeverBreaksTheMetrics() throws Exception {
    AskFrame ask = new AskFrame(List.of(ContentHash.ofContent(MISSING)), 1, false);
    client.blobs(Wire.LOOKUP_PATH, ask, "Quiver-Job: x\"} 1 {y=\"\\\r\n");
    assertThat(client.ask("GET /metrics").text())
        .contains("\nquiver_job_misses_total{job=\"x___1__y___\"} 1\n");
  }

  private JsonNode counters() throws Exception {
    return new ObjectMapper().readTree(client.ask("GET /v1/counters").body());
  }
}
