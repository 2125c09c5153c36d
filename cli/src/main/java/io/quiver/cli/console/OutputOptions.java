package io.quiver.cli.console;

import picocli.CommandLine.Option;

/** How a command should speak; the same options everywhere. */
public final class OutputOptions {
  @Option(
      names = "--json",
      description = "Print the result as JSON and nothing else on standard output.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Say nothing along the way; print results and errors only.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show what lies behind an error, and the log.")
  private boolean verbose;

  /** Whether the result is for a program. */
  public boolean json() {
    return json;
  }

  /** Whether to keep silent along the way. */
  public boolean quiet() {
    return quiet;
  }

  /** Whether to show stack traces and the log. */
  public boolean verbose() {
    return verbose;
  }

  /** These options' way to speak on a console. */
  public Output on(Console console) {
    return new Output(console, this);
  }
}
