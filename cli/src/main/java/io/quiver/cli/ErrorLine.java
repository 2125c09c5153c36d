package io.quiver.cli;

import io.quiver.cli.console.Console;

/** The one line an error takes. */
final class ErrorLine {
  private ErrorLine() {}

  static void print(Console console, String message) {
    String oneLine = message.strip().replaceAll("\\s*\\R\\s*", " ");
    console.err().println(console.errPaint().bad("quiver: ") + oneLine);
  }
}
