package io.quiver.cli;

import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers a command line that makes no sense with one line: what is wrong, and what was meant. */
final class UsageErrors implements IParameterExceptionHandler {
  private final Console console;

  UsageErrors(Console console) {
    this.console = console;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String help = command.getCommandSpec().qualifiedName() + " --help";
    console.error(message(e) + suggestions(e, help));
    return ExitCode.USAGE.code();
  }

  private static String message(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String first = unmatched.getUnmatched().getFirst();
      boolean group = !e.getCommandLine().getSubcommands().isEmpty();
      String kind = first.startsWith("-") ? "option" : group ? "command" : "argument";
      return "unknown " + kind + " '" + first + "'";
    }
    return String.valueOf(e.getMessage());
  }

  private static String suggestions(ParameterException e, String help) {
    String otherwise = String.valueOf(e.getMessage()).contains("--help") ? "" : "; see " + help;
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return otherwise;
    }
    List<String> similar = Similar.to(unmatched.getUnmatched().getFirst(), words(e));
    return similar.isEmpty()
        ? otherwise
        : "; did you mean " + String.join(" or ", similar) + "? See " + help;
  }

  private static Set<String> words(ParameterException e) {
    Set<String> words = new TreeSet<>(e.getCommandLine().getSubcommands().keySet());
    words.addAll(e.getCommandLine().getCommandSpec().optionsMap().keySet());
    return words;
  }
}
