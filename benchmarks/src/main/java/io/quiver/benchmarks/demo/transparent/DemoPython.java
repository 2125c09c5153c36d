package io.quiver.benchmarks.demo.transparent;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.workbench.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A Python that runs the demo's scripts. One with boto3 is preferred: that of {@code
 * QUIVER_PYTHON}, the machine's, or one in a virtual environment that is made beside the data.
 * Without boto3 queries use plain HTTP.
 *
 * @param program the interpreter
 * @param hasBoto true if boto3 can be imported
 * @param scripts the folder of the scripts
 */
record DemoPython(String program, boolean hasBoto, Path scripts) {
  private static final String BOTO = "boto3==1.43.117";
  private static final int CHECK_SECONDS = 60;
  private static final int INSTALL_SECONDS = 300;

  /** Finds an interpreter, or makes an environment for it. */
  static DemoPython find(Path folder, Consumer<String> noted)
      throws IOException, BenchmarkException, InterruptedException {
    Path scripts = Files.createDirectories(folder.resolve("scripts"));
    for (String script : List.of("train.py", "queries.py")) {
      try (InputStream in =
          Objects.requireNonNull(DemoPython.class.getResourceAsStream(script), script)) {
        Files.copy(in, scripts.resolve(script), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path environment = folder.resolve("python");
    String own = environment.resolve("bin/python").toString();
    List<String> candidates =
        Stream.of(
                Optional.ofNullable(System.getenv("QUIVER_PYTHON")),
                Programs.find("python3"),
                Optional.of(own).filter(file -> Files.isExecutable(Path.of(file))))
            .flatMap(Optional::stream)
            .filter(program -> runs(CHECK_SECONDS, program, "-c", "import sys"))
            .toList();
    if (candidates.isEmpty()) {
      throw new BenchmarkException(
          "the demo's readers need Python 3 (Debian: apt-get install python3), or QUIVER_PYTHON"
              + " naming one");
    }
    for (String candidate : candidates) {
      if (runs(CHECK_SECONDS, candidate, "-c", "import boto3")) {
        return new DemoPython(candidate, true, scripts);
      }
    }
    noted.accept("installing boto3 into " + environment + " (once)");
    String system = candidates.getFirst();
    boolean installed =
        runs(INSTALL_SECONDS, system, "-m", "venv", environment.toString())
            && runs(INSTALL_SECONDS, own, "-m", "pip", "install", "--quiet", BOTO);
    if (!installed) {
      noted.accept("boto3 could not be installed; queries use plain HTTP instead");
    }
    return new DemoPython(installed ? own : system, installed, scripts);
  }

  private static boolean runs(int seconds, String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the command line of a script. */
  List<String> command(String script, Object... arguments) {
    return Stream.concat(
            Stream.of(program, scripts.resolve(script).toString()),
            Stream.of(arguments).map(String::valueOf))
        .toList();
  }
}
