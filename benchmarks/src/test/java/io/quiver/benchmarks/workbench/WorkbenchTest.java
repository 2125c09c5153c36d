package io.quiver.benchmarks.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever was started or written is gone afterwards. */
class WorkbenchTest {
  @TempDir private Path folder;

  @Test
  void closingEndsProcessesAndDeletesEverything() throws Exception {
    Process process;
    Path directory;
    Path memory;
    try (Workbench workbench = Workbench.in(folder)) {
      directory = workbench.directory();
      memory = workbench.memoryFolder("test");
      Files.writeString(memory.resolve("file"), "x");
      process = workbench.start("sleeper", List.of("sleep", "60"), false);
      assertThat(process.isAlive()).isTrue();
    }
    assertThat(process.isAlive()).isFalse();
    assertThat(directory).doesNotExist();
    assertThat(memory).doesNotExist();
  }

  @Test
  void aProgramThatFailsIsReportedWithItsComplaint() throws Exception {
    try (Workbench workbench = Workbench.in(folder)) {
      List<String> command = List.of("ls", "/nowhere-at-all");
      assertThatThrownBy(() -> workbench.run("list", command, Duration.ofSeconds(10)))
          .isInstanceOf(BenchmarkException.class)
          .hasMessageContaining("/nowhere-at-all");
    }
  }

  @Test
  void aProgramThatTakesTooLongIsEnded() throws Exception {
    try (Workbench workbench = Workbench.in(folder)) {
      List<String> command = List.of("sleep", "60");
      assertThatThrownBy(() -> workbench.run("sleeper", command, Duration.ofMillis(50)))
          .isInstanceOf(BenchmarkException.class)
          .hasMessageContaining("not done");
    }
  }

  @Test
  void blobsOfOneSeedAreAlwaysTheSameAndNamedByTheirHash() throws Exception {
    try (Workbench first = Workbench.in(folder);
        Workbench second = Workbench.in(folder)) {
      BlobSet one = BlobSet.create(first, 1_003, 10, 5);
      BlobSet other = BlobSet.create(second, 1_003, 10, 5);
      assertThat(Files.mismatch(one.items(), other.items())).isEqualTo(-1);
      ByteBuffer blob = one.blob(one.content(), 7);
      assertThat(ContentHash.ofContent(blob)).isEqualTo(one.hashes()[7]);
      assertThat(BlobSet.fromArgument(one.toArgument())).isEqualTo(one);
    }
  }
}
