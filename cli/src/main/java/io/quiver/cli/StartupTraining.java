package io.quiver.cli;

import io.quiver.cli.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A short run of the usual commands that the launcher records, so that later starts find their
 * classes loaded and linked. Its results go nowhere.
 */
final class StartupTraining {
  private StartupTraining() {}

  /** Runs the commands; exits normally, which is when the recording is written. */
  public static void main(String[] arguments) throws IOException {
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new ByteArrayOutputStream(),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            true,
            true,
            80,
            true,
            Map.of());
    Main.run(console, "--help");
    Main.run(console, "--version");
    Main.run(console, "up", "--help");
    Main.run(console, "unknown");
  }
}
