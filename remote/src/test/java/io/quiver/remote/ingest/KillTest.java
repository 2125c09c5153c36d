package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.remote.file.FileStore;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KillTest {
  @TempDir Path folder;

  @Test
  @Timeout(120)
  void buildKilledInTheMiddleGoesOnAndEndsAsIfNothingHadHappened() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    Random random = new Random(11);
    for (int i = 0; i < 400; i++) {
      Files.write(data.resolve("item-%03d".formatted(i)), Ingesting.bytes(random, 100 + i));
    }
    Path output = folder.resolve("killed.qdg");
    killInTheMiddle(data, output);
    assertThat(output).doesNotExist();
    try (FileStore store = FileStore.open(data)) {
      IngestReport report = Ingesting.build(store, output, Ingesting.options());
      assertThat(report.reusedObjects())
          .isBetween(
              (long) KilledBuild.OBJECTS_SAFE_AT_THE_STOP,
              (long) KilledBuild.READS_BEFORE_THE_STOP);
      assertThat(report.items()).isEqualTo(400);
      Path undisturbed = folder.resolve("undisturbed.qdg");
      Ingesting.build(store, undisturbed, Ingesting.options());
      assertThat(Files.readAllBytes(output)).isEqualTo(Files.readAllBytes(undisturbed));
    }
  }

  private static void killInTheMiddle(Path data, Path output) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path", "").replace("\n", File.pathSeparator);
    Process process =
        new ProcessBuilder(
                java, "-cp", classes, KilledBuild.class.getName(), data + "", output + "")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null && !line.equals("stopped")) {
        line = lines.readLine();
      }
      assertThat(line).isEqualTo("stopped");
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 9);
  }
}
