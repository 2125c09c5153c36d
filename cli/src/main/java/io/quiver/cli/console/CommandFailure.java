package io.quiver.cli.console;

import org.jspecify.annotations.Nullable;

/** The expected end of a command that did not work out: one line for the user and an exit code. */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode exit;

  /** A failure with the line to show; the line names the value and the remedy. */
  public CommandFailure(ExitCode exit, String line) {
    this(exit, line, null);
  }

  /** Creates a failure with its cause, which is shown only on request. */
  public CommandFailure(ExitCode exit, String line, @Nullable Throwable cause) {
    super(line, cause);
    this.exit = exit;
  }

  /** Returns the exit code of the process. */
  public ExitCode exit() {
    return exit;
  }
}
