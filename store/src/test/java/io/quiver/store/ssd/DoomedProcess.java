package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process that is killed, as by {@code kill -9}, after it has said so many lines. */
final class DoomedProcess {
  private DoomedProcess() {}

  private static final int HEAP_MEGABYTES = 128;

  /** Returns everything a process said before it was killed, or before it ended by itself. */
  static List<String> run(Class<?> main, int lines, String... arguments) throws IOException {
    return run(HEAP_MEGABYTES, main, lines, arguments);
  }

  /** Does the same with a heap of this size. */
  static List<String> run(int heapMegabytes, Class<?> main, int lines, String... arguments)
      throws IOException {
    List<String> said = new ArrayList<>();
    Process process = start(heapMegabytes, main, arguments);
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.add(line);
        if (said.size() == lines) {
          kill(process);
        }
      }
    } finally {
      kill(process);
      awaitEnd(process);
    }
    return said;
  }

  private static Process start(int heapMegabytes, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + heapMegabytes + "m", "-XX:+UseSerialGC"));
    if (!Boolean.getBoolean("quiver.test.long")) {
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    }
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  // By its number: ending it through the process object would close its output as well.
  private static void kill(Process process) {
    ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  private static void awaitEnd(Process process) {
    try {
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("the process ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
