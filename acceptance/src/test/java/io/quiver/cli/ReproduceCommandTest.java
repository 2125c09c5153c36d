package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.benchmarks.reproduce.Experiment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Published experiments on the command line. */
class ReproduceCommandTest {
  @TempDir private Path folder;

  private static Shell.Ended run(String... arguments) {
    return Shell.plain().run(arguments);
  }

  @Test
  void withoutANameItListsWhatThereIs() {
    var ended = run("reproduce");
    assertThat(ended.exit()).isZero();
    for (Experiment experiment : Experiment.ALL) {
      assertThat(ended.out()).contains(experiment.name(), experiment.summary());
    }
    assertThat(run("reproduce", "--json").json()).hasSize(Experiment.ALL.size());
  }

  @Test
  void aNameNobodyHasIsAnsweredWithTheNamesThereAre() {
    var ended = run("reproduce", "quiver-table4");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("quiver-table4", "quiver-table3");
    assertThat(run("reproduce", "quiver-fig6", "--store-bandwidth-factor", "0").exit())
        .isEqualTo(2);
  }

  @Test
  void anExperimentIsToldInFiguresAndPlots() throws Exception {
    Path page = folder.resolve("fig7.html");
    var ended = run("reproduce", "quiver-fig7", "--json", "--report", page.toString());
    assertThat(ended.exit()).as(ended.err()).isZero();
    JsonNode json = ended.json();
    assertThat(json.path("most_rotating").asInt()).isEqualTo(2);
    assertThat(json.path("batches_per_second_after").asDouble())
        .isGreaterThan(1.5 * json.path("batches_per_second_before").asDouble());
    assertThat(Files.readString(page)).contains("id=\"residency-t\"", "id=\"progress-t\"");
  }

  @Test
  void theStagesOfMiniBatchesAreToldInFiguresAndPlots() throws Exception {
    Path page = folder.resolve("fig5.html");
    var ended = run("reproduce", "quiver-fig5", "--json", "--report", page.toString());
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.json().path("gpu_busy").asDouble()).isGreaterThan(0.95);
    assertThat(ended.json().path("mini_batches")).hasSize(20);
    assertThat(ended.json().at("/mini_batches/0/io_end_s").asDouble()).isPositive();
    assertThat(Files.readString(page)).contains("class=\"transform\"", "class=\"gpu\"");
  }
}
