package io.quiver.cli.command;

import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** The completion script for the user's shell, made from the commands themselves. */
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footer = {
      "  quiver completion > ~/.local/share/bash-completion/completions/quiver",
      "  source <(quiver completion)                # this shell only",
      "",
      "With --json: {\"script\": text}"
    })
public final class CompletionCommand extends Action {
  @Override
  ExitCode run(Output output) {
    String script = AutoComplete.bash("quiver", spec().root().commandLine());
    if (output.json()) {
      output.document(new Script(script));
    } else {
      output.line(script);
    }
    return ExitCode.OK;
  }

  private record Script(String script) {}
}
