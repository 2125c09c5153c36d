package io.quiver.cli;

import io.quiver.cli.console.Console;
import io.quiver.cli.console.Output.OutputClosed;
import java.io.IOException;

/** Starts the process. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(Console.ofProcess(), arguments));
  }

  /** Runs one command on a console and returns its exit code. */
  public static int run(Console console, String... arguments) {
    int code = CommandTree.of(console).execute(arguments);
    try {
      console.out().flush();
    } catch (IOException | OutputClosed e) {
      return code;
    }
    return code;
  }
}
