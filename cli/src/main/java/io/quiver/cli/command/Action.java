package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.OutputOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What every command has in common: a console to speak on and the options that say how. */
abstract class Action implements Callable<Integer> {
  private final Console console;

  @Mixin private final OutputOptions outputOptions = new OutputOptions();

  Action(Console console) {
    this.console = console;
  }

  /** Does the work. */
  abstract ExitCode run(Output output) throws Exception;

  @Override
  public final Integer call() throws Exception {
    // Read by the logging configuration, which is loaded with the first logger.
    System.setProperty("quiver.log.level", outputOptions.verbose() ? "DEBUG" : "WARN");
    Output output = outputOptions.on(console);
    ExitCode exit = run(output);
    output.flush();
    return exit.code();
  }
}
