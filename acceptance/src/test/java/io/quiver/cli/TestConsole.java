package io.quiver.cli;

import io.quiver.cli.console.Console;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Consoles for tests that only look at the command tree. */
final class TestConsole {
  private TestConsole() {}

  static Console silent() {
    return new Console(
        InputStream.nullInputStream(),
        OutputStream.nullOutputStream(),
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
        false,
        false,
        80,
        false,
        Map.of());
  }
}
