package io.quiver.benchmarks.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.benchmarks.BenchmarkException;
import io.quiver.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code quiver} commands as processes of their own, several at once. */
final class JobProcesses implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final String program;
  private final Path folder;
  private final List<Process> running = new ArrayList<>();

  /** Processes whose output goes into files of a folder. */
  JobProcesses(String program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /** Starts one; what it prints is read when all have ended. */
  void start(List<String> arguments) throws IOException {
    int number = running.size();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program));
    command.addAll(arguments);
    running.add(
        new ProcessBuilder(command)
            .redirectOutput(out(number).toFile())
            .redirectError(err(number).toFile())
            .start());
  }

  private Path out(int number) {
    return folder.resolve("out-" + number);
  }

  private Path err(int number) {
    return folder.resolve("err-" + number);
  }

  /** Waits for all of them: the document each printed. */
  List<JsonNode> documents() throws IOException, BenchmarkException, InterruptedException {
    List<JsonNode> documents = new ArrayList<>();
    for (int number = 0; number < running.size(); number++) {
      documents.add(Json.parse(await(number)));
    }
    return documents;
  }

  private String await(int number) throws IOException, BenchmarkException, InterruptedException {
    Process process = running.get(number);
    boolean ended = process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
    if (!ended || process.exitValue() != 0) {
      throw new BenchmarkException(
          "process "
              + process.pid()
              + (ended ? " ended with " + process.exitValue() : " did not end")
              + ": "
              + Files.readString(err(number)).strip());
    }
    return Files.readString(out(number));
  }

  @Override
  public void close() {
    running.forEach(Process::destroyForcibly);
  }
}
