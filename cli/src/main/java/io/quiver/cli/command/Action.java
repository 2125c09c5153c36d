package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.OutputOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Does what all commands share: the options of output, the log and the exit code. */
@Command(footerHeading = CommandGroup.EXAMPLES)
abstract class Action implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private final OutputOptions outputOptions = new OutputOptions();

  final CommandSpec spec() {
    return spec;
  }

  /** Does the work. */
  abstract ExitCode run(Output output) throws Exception;

  /**
   * Returns the format of log lines: with the time for a log that is read later, like a warning
   * where somebody watches. A bar that stands in its place is wiped away.
   */
  private String logPattern(Console console) {
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
    Console console = CommandGroup.console(spec);
    // Read by the logging configuration, which is loaded with the first logger.
    System.setProperty("quiver.log.level", outputOptions.verbose() ? "DEBUG" : "WARN");
    System.setProperty("quiver.log.pattern", logPattern(console));
    Output output = outputOptions.on(console);
    ExitCode exit = run(output);
    output.flush();
    return exit.code();
  }
}
