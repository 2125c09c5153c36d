package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.benchmarks.workbench.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo of unmodified programs from end to end, on a bucket of four megabytes. */
class TransparentDemoTest {
  @TempDir private Path folder;

  @BeforeEach
  void needsFuse() {
    assumeTrue(
        Programs.find("fusermount3").isPresent() && Files.exists(Path.of("/dev/fuse")),
        "skipped, because fusermount3 (package fuse3) is not installed");
  }

  private Shell.Ended run(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "demo",
                "--transparent",
                "--dir",
                folder.toString(),
                "--scale",
                "0.02",
                "--store-latency-ms",
                "1"));
    arguments.addAll(List.of(more));
    return Shell.plain().run(arguments.toArray(String[]::new));
  }

  @Test
  void fourProgramsReadThroughAllCachesAndNothingStaysMounted() throws Exception {
    var ended = run("--json");
    assertThat(ended.exit()).as(ended.err() + ended.out()).isZero();
    JsonNode json = ended.json();
    assertThat(json.path("runs"))
        .extracting(run -> run.path("mode").asText())
        .containsExactly("none", "lru", "streams");
    for (JsonNode run : json.path("runs")) {
      assertThat(run.path("readers"))
          .extracting(reader -> reader.path("reader").asText())
          .containsExactly("scan", "training", "queries", "slice");
      assertThat(run.path("readers")).allMatch(reader -> reader.path("seconds").asDouble() > 0);
      assertThat(run.path("store_bytes").asLong()).isPositive();
    }
    assertThat(json.path("speed_up_over_lru").asDouble()).isPositive();
    assertThat(Files.readString(Path.of(json.path("report").asText())))
        .contains("id=\"times-t\"", "id=\"bytes-t\"");
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .isSubsetOf("transparent-0.02-1", "report.html", "scripts", "python");
    }
  }

  @ParameterizedTest
  @CsvSource({"--scale, 0", "--modes, quiver", "--cache-fraction, 2", "--digest, some.qdg"})
  void anOptionThatMakesNoSenseIsAUsageError(String option, String value) {
    var ended = run(option, value);
    assertThat(ended.exit()).as(ended.err()).isEqualTo(2);
    assertThat(ended.err()).contains(option.substring(2)).hasLineCount(1);
  }
}
