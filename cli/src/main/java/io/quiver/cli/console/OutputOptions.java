package io.quiver.cli.console;

import picocli.CommandLine.Option;

/** Options of every command's output. */
public final class OutputOptions {
  @Option(
      names = "--json",
      description = "Print the result as JSON, and nothing else, on standard output.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print results and errors only, no progress and notes.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show the log, and the causes of errors.")
  private boolean verbose;

  /** Returns true if the result is wanted as JSON. */
  public boolean json() {
    return json;
  }

  /** Returns true if only results and errors are wanted. */
  public boolean quiet() {
    return quiet;
  }

  /** Returns true if stack traces and the log are wanted. */
  public boolean verbose() {
    return verbose;
  }

  /** These options' way to speak on a console. */
  public Output on(Console console) {
    return new Output(console, this);
  }
}
