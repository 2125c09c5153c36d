package io.quiver.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.Console;
import io.quiver.protocol.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs commands in this process and keeps what they said. */
final class Shell {
  private final Map<String, String> environment;
  private final boolean terminal;

  private Shell(Map<String, String> environment, boolean terminal) {
    this.environment = environment;
    this.terminal = terminal;
  }

  /** Returns a shell whose streams go to files. */
  static Shell plain() {
    return new Shell(Map.of(), false);
  }

  /** Returns a shell with a person in front. */
  static Shell terminal() {
    return new Shell(Map.of("TERM", "xterm", "LANG", "C.UTF-8"), true);
  }

  /** Returns a shell that knows where the servers are. */
  static Shell of(String server) {
    return new Shell(Map.of("QUIVER_SERVER", server), false);
  }

  /** Returns a shell with these variables. */
  static Shell with(Map<String, String> environment) {
    return new Shell(environment, false);
  }

  /** The result of a command. */
  record Ended(int exit, ByteArrayOutputStream outStream, String err) {
    byte[] outBytes() {
      return outStream.toByteArray();
    }

    String out() {
      return outStream.toString(StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return Json.parse(out());
    }
  }

  Ended run(String... arguments) {
    return run(new byte[0], arguments);
  }

  Ended run(byte[] input, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new ByteArrayInputStream(input),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            terminal,
            terminal,
            80,
            terminal,
            environment);
    int exit = Main.run(console, arguments);
    return new Ended(exit, out, err.toString(StandardCharsets.UTF_8));
  }
}
