package io.quiver.remote.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the processor time that S3 clients need for a small object: each in a process of its own,
 * in turns, against a server in this one. Not a test by its name, so the build leaves it alone; see
 * docs/benchmarks.md.
 */
class S3ClientsRun {
  private static final int OBJECTS = 500;
  private static final int BYTES = Integer.getInteger("quiver.s3.bytes", 20_000);
  private static final int READS = Integer.getInteger("quiver.s3.reads", 10_000);
  private static final int ROUNDS = Integer.getInteger("quiver.s3.rounds", 3);
  private static final long MOST_MINUTES = 5;

  @Test
  void everyClientReadsTheObjectsAndIsMeasured() throws Exception {
    Map<S3Contender, List<double[]>> figures = new EnumMap<>(S3Contender.class);
    try (S3TestServer server = S3TestServer.start()) {
      for (int i = 0; i < OBJECTS; i++) {
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) i);
        server.put(Integer.toString(i), content);
      }
      String endpoint = Objects.requireNonNull(server.config().s3().endpoint()).toString();
      for (int round = 0; round < ROUNDS; round++) {
        for (S3Contender each : S3Contender.values()) {
          figures.computeIfAbsent(each, any -> new ArrayList<>()).add(measure(each, endpoint));
        }
      }
    }
    System.out.printf("%-20s %8s %15s%n", "us an object", "own", "with compiler");
    figures.forEach((client, rounds) ->
        System.out.printf(
            "%-20s %8.0f %15.0f%n", client, median(rounds, 0), median(rounds, 1)));
    assertThat(figures.values()).allMatch(rounds -> rounds.size() == ROUNDS);
  }

  private static double median(List<double[]> rounds, int figure) {
    double[] sorted =
        rounds.stream().flatMapToDouble(each -> DoubleStream.of(each[figure])).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static double[] measure(S3Contender client, String endpoint) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            S3ReadProcess.class.getName(),
            client.name(),
            endpoint,
            Integer.toString(OBJECTS),
            Integer.toString(BYTES),
            Integer.toString(READS));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)).as("%s is over", client).isTrue();
      assertThat(said).as(client.name()).matches("[0-9]+ [0-9]+");
      return Arrays.stream(said.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    } finally {
      process.destroyForcibly();
    }
  }
}
