package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo from end to end, on a data set small enough for a test. */
class DemoCommandTest {
  @TempDir private Path folder;

  /** Two jobs, two epochs, a megabyte and a half: a second or two for each mode. */
  private List<String> tiny(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "demo",
                "--dir",
                folder.toString(),
                "--jobs",
                "2",
                "--items",
                "600",
                "--item-bytes",
                "2500",
                "--batch",
                "10",
                "--epoch-s",
                "0.5",
                "--store-mbps",
                "4",
                "--store-latency-ms",
                "2",
                "--cache-fraction",
                "0.4"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static Shell.Ended run(List<String> arguments) {
    return Shell.plain().run(arguments.toArray(String[]::new));
  }

  @Test
  void aTinyDemoRunsEveryModeExactlyOnceAndWritesItsReport() throws Exception {
    Path plot = folder.resolve("plot.svg");
    var ended = run(tiny("--json", "--plot", plot.toString()));
    assertThat(ended.exit()).as(ended.err() + ended.out()).isZero();
    JsonNode json = ended.json();
    assertThat(json.path("runs"))
        .extracting(run -> run.path("mode").asText())
        .containsExactly("none", "lru", "pinned", "quiver", "all-cached");
    assertThat(json.path("runs")).allMatch(run -> run.path("exactly_once").asBoolean());
    assertThat(json.path("runs").path(0).path("reads_per_item_epoch").asDouble()).isEqualTo(2);
    assertThat(json.path("runs").path(1).path("reads_per_item_epoch").asDouble())
        .isBetween(0.8, 2.0);
    assertThat(json.path("runs").path(2).path("reads_per_item_epoch").asDouble())
        .isBetween(0.8, 2.0);
    assertThat(json.path("runs").path(3).path("reads_per_item_epoch").asDouble())
        .isBetween(0.4, 1.6);
    assertThat(json.path("runs").path(3).path("fill_reads_per_item_epoch").asDouble())
        .as("what is pinned fits into the cache and is filled once")
        .isLessThanOrEqualTo(0.4);
    assertThat(json.path("runs").path(4).path("reads_per_item_epoch").asDouble()).isZero();
    assertThat(json.path("runs").path(4).path("hit_ratio").asDouble()).isEqualTo(1);
    assertThat(Files.readString(Path.of(json.path("report").asText())))
        .contains("progress-none", "progress-quiver", "id=\"bytes-t\"", "id=\"residency-t\"");
    assertThat(Files.readString(plot)).contains("<svg");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("images-600x2500-100-1", "report.html", "plot.svg");
    }
  }

  @Test
  void theTableIsForPeopleAndASecondDemoUsesTheDataOfTheFirst() {
    var first = run(tiny("--modes", "all-cached", "--epochs", "1"));
    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.err()).contains("making 600 items");
    assertThat(first.out()).contains("all cached").contains("100.0 %").contains("report.html");
    var second = run(tiny("--modes", "all-cached", "--epochs", "1"));
    assertThat(second.err()).contains("of an earlier demo").doesNotContain("making");
  }

  @Test
  void runsOnADataSetOfOnesOwn() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data/a"));
    for (int i = 0; i < 40; i++) {
      Files.writeString(data.resolve(i + ".txt"), "item " + i);
    }
    String digest = folder.resolve("own.qdg").toString();
    Shell.plain().run("digest", "create", folder.resolve("data").toString(), "-o", digest, "-q");
    var ended =
        run(
            tiny(
                "--modes",
                "none",
                "--digest",
                digest,
                "--json",
                "--speeds",
                "1,2",
                "--epochs",
                "1"));
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.json().path("items").asInt()).isEqualTo(40);
    assertThat(ended.json().path("runs").path(0).path("exactly_once").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "--jobs, 0",
    "--epochs, 0",
    "--items, 0",
    "--item-bytes, 0",
    "--cache-fraction, 0",
    "--cache-fraction, 1.2",
    "--speeds, 0",
    "--stagger-s, -1",
    "--epoch-s, -1",
    "--store-mbps, 0",
    "--store-latency-ms, -5",
    "--modes, fastest",
    "--planner, magic"
  })
  void anOptionThatMakesNoSenseIsAUsageErrorWithARemedy(String option, String value) {
    var ended = Shell.plain().run("demo", "--dir", folder.toString(), option, value);
    assertThat(ended.exit()).as(ended.err()).isEqualTo(2);
    assertThat(ended.err()).contains(option.equals("--modes") ? value : option).hasLineCount(1);
    assertThat(ended.err()).contains("use ");
  }

  @Test
  void aReportThatCannotBeWrittenIsFoundOutAtOnce() {
    var ended = run(tiny("--report", folder.resolve("no/such/folder/r.html").toString()));
    assertThat(ended.exit()).isEqualTo(1);
    assertThat(ended.err()).contains("--report").hasLineCount(1);
  }

  @Test
  void aMissingDigestIsNotFound() {
    var ended = run(tiny("--digest", folder.resolve("none.qdg").toString()));
    assertThat(ended.exit()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("none.qdg").hasLineCount(1);
  }
}
