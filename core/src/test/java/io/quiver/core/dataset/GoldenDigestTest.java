package io.quiver.core.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The files under test-vectors/digest are the format: they may gain company but never change.
 *
 * <p>{@code -Dquiver.test.vectors.write=true} writes those that are missing.
 */
class GoldenDigestTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("quiver.test.vectors", "../test-vectors")).resolve("digest");

  @TestFactory
  Stream<DynamicTest> goldenFileIsReadAndWrittenByteForByte() throws IOException {
    if (Boolean.getBoolean("quiver.test.vectors.write")) {
      writeMissing();
    }
    return GoldenDigests.all().entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> check(entry)));
  }

  @Test
  void everyGoldenFileIsKnownHere() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".qdg"))
          .containsExactlyInAnyOrderElementsOf(
              GoldenDigests.all().keySet().stream().map(name -> name + ".qdg").toList());
    }
  }

  private static void check(Map.Entry<String, DigestEncoder> golden) throws IOException {
    byte[] file = Files.readAllBytes(FOLDER.resolve(golden.getKey() + ".qdg"));
    String json = Files.readString(FOLDER.resolve(golden.getKey() + ".json"));
    DatasetDigest digest = DatasetDigest.open(file);
    digest.verify();
    assertThat(new DigestJson(digest).text()).isEqualTo(json);
    assertThat(golden.getValue().encode()).isEqualTo(file);
  }

  private static void writeMissing() throws IOException {
    Files.createDirectories(FOLDER);
    for (Map.Entry<String, DigestEncoder> golden : GoldenDigests.all().entrySet()) {
      Path file = FOLDER.resolve(golden.getKey() + ".qdg");
      if (!Files.exists(file)) {
        byte[] bytes = golden.getValue().encode();
        Files.write(file, bytes);
        String json = new DigestJson(DatasetDigest.open(bytes)).text();
        Files.writeString(FOLDER.resolve(golden.getKey() + ".json"), json);
      }
    }
  }
}
