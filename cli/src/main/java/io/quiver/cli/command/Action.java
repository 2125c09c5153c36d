package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.OutputOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** The base of every command: a console to print on and the options of its output. */
abstract class Action implements Callable<Integer> {
  private final Console console;

  @Mixin private final OutputOptions outputOptions = new OutputOptions();

  Action(Console console) {
    this.console = console;
  }

  /** Does the work. */
  abstract ExitCode run(Output output) throws Exception;

  /**
   * Returns the format of log lines: with the time for a log that is read later, like a warning
   * where somebody watches. A bar that stands in its place is wiped away.
   */
  private String logPattern() {
    String wipe = console.errIsTerminal() ? "\r\u001b[K" : "";
    return wipe
        + (logsLikeWarnings() && !outputOptions.verbose()
            ? "warning: %msg%n"
            : "%d{HH:mm:ss.SSS} %-5level %logger{20} %msg%n%ex{short}");
  }

  /** Returns true if log lines are meant for the user who started the command. */
  boolean logsLikeWarnings() {
    return false;
  }

  @Override
  public final Integer call() throws Exception {
    // Read by the logging configuration, which is loaded with the first logger.
    System.setProperty("quiver.log.level", outputOptions.verbose() ? "DEBUG" : "WARN");
    System.setProperty("quiver.log.pattern", logPattern());
    Output output = outputOptions.on(console);
    ExitCode exit = run(output);
    output.flush();
    return exit.code();
  }
}
