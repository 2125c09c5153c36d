package io.quiver.cli;

import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers a command line that makes no sense with one line: what is wrong, and what was meant. */
final class UsageErrors implements IParameterExceptionHandler {
  private static final int MOST_SUGGESTIONS = 3;

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
    List<String> similar = similar(unmatched.getUnmatched().getFirst(), words(e));
    return similar.isEmpty()
        ? otherwise
        : "; did you mean " + String.join(" or ", similar) + "? See " + help;
  }

  private static Set<String> words(ParameterException e) {
    Set<String> words = new TreeSet<>(e.getCommandLine().getSubcommands().keySet());
    words.addAll(e.getCommandLine().getCommandSpec().optionsMap().keySet());
    return words;
  }

  /** The nearest words, the nearest first; none if all are too far off. */
  private static List<String> similar(String typed, Collection<String> words) {
    int bound = typed.length() <= 3 ? 1 : typed.length() <= 6 ? 2 : 3;
    return words.stream()
        .filter(word -> distance(typed, word) <= bound)
        .sorted(Comparator.comparingInt((String word) -> distance(typed, word)))
        .limit(MOST_SUGGESTIONS)
        .toList();
  }

  /** Returns the number of letters to add, remove or exchange. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int exchanged = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
