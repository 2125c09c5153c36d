package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.client.loader.Batch;
import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.testkit.Await;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the planner's decisions, shown and changed by people, at a real node with a real job. */
class PlanCommandsTest {
  @TempDir private Path folder;

  private static void readEpoch(BatchLoader loader, int number) {
    try (LoadedEpoch epoch = loader.epoch(number)) {
      Optional<Batch> batch = epoch.next();
      while (batch.isPresent()) {
        batch.get().close();
        batch = epoch.next();
      }
    }
  }

  @Test
  void jobsAndPlanSayWhatIsHeldForWhomAndWishesChangeIt() throws Exception {
    Scene scene = Scene.make(folder, 200, 1000);
    try (Node node = scene.cluster(1, 1 << 20);
        DigestFile digest = DigestFile.open(scene.digest())) {
      Shell shell = Shell.of(node.uri().toString());
      assertThat(shell.run("jobs").out()).isEqualTo("no jobs\n");
      assertThat(shell.run("plan").out())
          .contains("planner marginal")
          .contains("nothing is cached");
      LoaderConfig config =
          LoaderConfig.of("trainer", digest.digest(), FileStore.open(scene.data()))
              .withBatch(10)
              .withEpochs(50)
              .withUser("alice")
              .withGpus(8)
              .withManager(node.uri());
      try (BatchLoader loader = BatchLoader.open(config)) {
        readEpoch(loader, 0);
        String key = DatasetKey.of(digest.digest().identity()).text();
        requireShown(shell, key);
        requirePreferences(shell, scene, key);
      }
    }
  }

  private static void requireShown(Shell shell, String key) throws Exception {
    Await.until("the data set is held", () -> held(shell, key) > 0);
    JsonNode job = shell.run("jobs", "--json").json().path(0);
    assertThat(job.path("job").asText()).isEqualTo("trainer");
    assertThat(job.path("user").asText()).isEqualTo("alice");
    assertThat(job.path("gpus").asInt()).isEqualTo(8);
    assertThat(job.path("verdict").asText()).isEqualTo("TOO_SHORT");
    assertThat(job.path("evidence").asText()).contains("too short to probe").contains("1 %");
    assertThat(job.path("miss").has("seconds")).isTrue();
    assertThat(shell.run("jobs").out()).contains("trainer").contains("alice").contains(key);
    assertThat(shell.run("plan").out()).contains(key).contains("not measured yet");
    JsonNode outlook = shell.run("plan", "--what-if", "-1GB", "--json").json();
    assertThat(outlook.path("capacity_then").asLong()).isZero();
    assertThat(outlook.path("datasets").path(0).path("bytes_then").asLong()).isZero();
    assertThat(outlook.path("jobs").path(0).path("known").asBoolean()).isFalse();
    long now = outlook.path("capacity_now").asLong();
    JsonNode more = shell.run("plan", "--what-if", "+10MB", "--json").json();
    assertThat(more.path("capacity_then").asLong()).isEqualTo(now + 10_000_000);
    assertThat(shell.run("plan", "--what-if", "500kB").out())
        .contains("with 500 kB instead of")
        .contains("trainer");
  }

  private static long held(Shell shell, String key) {
    for (JsonNode each : shell.run("plan", "--json").json().path("datasets")) {
      if (each.path("dataset").asText().equals(key)) {
        return each.path("held_bytes").asLong();
      }
    }
    return 0;
  }

  private static void requirePreferences(Shell shell, Scene scene, String key) throws Exception {
    var never = shell.run("never", scene.digest().toString());
    assertThat(never.exit()).as(never.err()).isZero();
    assertThat(never.out()).isEqualTo("data set " + key + " is not cached any more\n");
    Await.until("it goes", () -> held(shell, key) == 0);
    assertThat(shell.run("plan").out()).contains("never to be cached");
    assertThat(shell.run("pin", key, "--json").json().path("preference").asText()).isEqualTo("pin");
    Await.until("it is back", () -> held(shell, key) > 0);
    assertThat(shell.run("plan").out()).contains("pinned by hand");
    assertThat(shell.run("unpin", key).exit()).isZero();
    assertThat(shell.run("quota").out()).isEqualTo("no quotas\n");
    assertThat(shell.run("quota", "user=alice", "60kB").out()).contains("user alice");
    Await.until("the quota binds", () -> held(shell, key) <= 60_000 && held(shell, key) > 0);
    JsonNode quotas = shell.run("quota", "dataset=" + key, "1GB", "--json").json();
    assertThat(quotas.path("user_quotas").path("alice").asLong()).isEqualTo(60_000);
    assertThat(quotas.path("dataset_quotas").path(key).asLong()).isEqualTo(1_000_000_000);
    shell.run("quota", "user=alice", "none");
    Await.until("it may have all again", () -> held(shell, key) > 60_000);
  }

  @Test
  void whatMakesNoSenseIsSaidInOneLine() throws Exception {
    Scene scene = Scene.make(folder, 5, 100);
    try (Node node = scene.cluster(1, 1 << 20)) {
      Shell shell = Shell.of(node.uri().toString());
      String[][] wrong = {
        {"plan", "--what-if", "lots"},
        {"quota", "alice", "1GB"},
        {"quota", "user=alice"},
        {"quota", "user=alice", "much"},
        {"up", "--quota", "alice:5GB"},
        {"up", "--planner", "magic"},
        {"up", "--pin", "xyz"}
      };
      for (String[] each : wrong) {
        var ended = shell.run(each);
        assertThat(ended.exit()).as(String.join(" ", each)).isEqualTo(2);
        assertThat(ended.err()).hasLineCount(1);
      }
      assertThat(shell.run("pin", "nowhere.qdg").exit()).isEqualTo(4);
    }
    var away = Shell.of("http://127.0.0.1:9").run("jobs");
    assertThat(away.exit()).isEqualTo(3);
    assertThat(away.err()).contains("--manager").hasLineCount(1);
  }
}
