package io.quiver.djl.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FashionTrainingTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return FashionTraining.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        arguments);
  }

  /** Pictures of ten kinds: each has a bright bar at a height of its own. */
  private void write(String part, int count, long seed) throws IOException {
    Random random = new Random(seed);
    try (DataOutputStream images = idx(part + "-images-idx3-ubyte.gz", 0x803, count);
        DataOutputStream labels = idx(part + "-labels-idx1-ubyte.gz", 0x801, count)) {
      images.writeInt(28);
      images.writeInt(28);
      for (int i = 0; i < count; i++) {
        labels.writeByte(i % 10);
        for (int pixel = 0; pixel < 28 * 28; pixel++) {
          boolean bar = pixel / 28 / 3 == i % 10;
          images.writeByte(random.nextInt(120) + (bar ? 130 : 0));
        }
      }
    }
  }

  private DataOutputStream idx(String name, int magic, int count) throws IOException {
    DataOutputStream file =
        new DataOutputStream(
            new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)), 1 << 16));
    file.writeInt(magic);
    file.writeInt(count);
    return file;
  }

  @Test
  void trainsThroughACacheSmallerThanTheDataAndReportsEveryEpoch() throws IOException {
    write("train", 600, 1);
    write("t10k", 100, 2);
    int exit =
        run(
            "--data",
            folder.toString(),
            "--epochs",
            "3",
            "--batch",
            "20",
            "--cache",
            "0.4",
            "--json");
    assertThat(exit).as("%s", err).isZero();
    JsonNode document = Json.parse(out.toString(StandardCharsets.UTF_8));
    assertThat(document.get("images").asInt()).isEqualTo(600);
    assertThat(document.get("bytes").asLong()).isEqualTo(600 * 784);
    assertThat(document.get("cache_bytes").asLong()).isEqualTo(600 * 784 * 4 / 10);
    assertThat(document.get("exactly_once").asBoolean()).isTrue();
    assertThat(document.get("epochs")).hasSize(3);
    JsonNode last = document.get("epochs").get(2);
    assertThat(last.get("epoch").asInt()).isEqualTo(3);
    assertThat(last.get("test_accuracy").asDouble()).isGreaterThan(0.5);
    assertThat(last.get("store_reads_per_item").asDouble()).isBetween(0.0, 1.0);
    assertThat(last.get("hit_ratio").asDouble()).isGreaterThan(0).isLessThan(1);
  }

  @Test
  void saysWhereToGetTheDataWhenItIsMissing() {
    assertThat(run("--data", folder.toString())).isEqualTo(FashionTraining.NOT_FOUND);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("train-images-idx3-ubyte.gz", "apt install dataset-fashion-mnist", "--data DIR");
  }

  @Test
  void refusesFilesThatAreSomethingElse() throws IOException {
    write("train", 20, 1);
    Files.writeString(folder.resolve("train-labels-idx1-ubyte"), "no labels at all");
    Files.delete(folder.resolve("train-labels-idx1-ubyte.gz"));
    assertThat(run("--data", folder.toString())).isEqualTo(FashionTraining.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("train-labels", "no idx file");
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThat(run("--cache", "1.5")).isEqualTo(FashionTraining.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--cache 1.5", "up to 1");
    assertThat(run("--epochs", "0")).isEqualTo(FashionTraining.USAGE);
  }
}
