package io.quiver.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The command in a process of its own, as the launcher starts it. */
final class ChildProcess implements AutoCloseable {
  private static final int SECONDS = 60;

  private final Process process;
  private final BufferedReader out;
  private final Path err;

  private ChildProcess(Process process, Path err) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.err = err;
  }

  static ChildProcess start(Path scratch, String... arguments) throws IOException {
    return start(scratch, Map.of(), arguments);
  }

  /** Starts it with further variables in its environment. */
  static ChildProcess start(Path scratch, Map<String, String> variables, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                // A test run in the background of a shell ignores interrupts, and so would its
                // children.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.quiver.cli.Main"));
    command.addAll(List.of(arguments));
    Path err = Files.createTempFile(scratch, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().putAll(variables);
    return new ChildProcess(builder.start(), err);
  }

  /** Returns the next line of standard output as JSON, within bounds. */
  JsonNode readyLine() throws Exception {
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(() -> {
          try {
            return String.valueOf(out.readLine());
          } catch (IOException e) {
            return "null";
          }
        });
    try {
      String text = line.get(SECONDS, TimeUnit.SECONDS);
      if (!text.startsWith("{")) {
        throw new AssertionError("no ready line but: " + text + "; it said: " + err());
      }
      return Json.parse(text);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("not ready in " + SECONDS + " s; it said: " + err(), e);
    }
  }

  /** Asks it to end, as Ctrl-C's milder sister does, and waits; its exit code. */
  int terminate() throws Exception {
    return signal("TERM");
  }

  /** Does what Ctrl-C does, and waits; its exit code. */
  int interrupt() throws Exception {
    return signal("INT");
  }

  /** Sends a signal, which leaves its streams open, and waits; its exit code. */
  private int signal(String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (!kill.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("kill -" + name + " failed");
    }
    return await();
  }

  /** Ends it with no chance to clean up. */
  void kill() throws Exception {
    process.destroyForcibly();
    await();
  }

  /** Waits for its end; its exit code. */
  int await() throws Exception {
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + SECONDS + " s; it said: " + err());
    }
    return process.exitValue();
  }

  /** Returns what is left of standard output once it has ended. */
  String restOfOutput() throws IOException {
    return out.lines().collect(Collectors.joining("\n"));
  }

  /** Returns what it said on standard error so far. */
  String err() throws IOException {
    return Files.readString(err);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
