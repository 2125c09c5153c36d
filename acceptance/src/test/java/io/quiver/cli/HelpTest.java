package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

/** Every command explains itself, and what is mistyped gets a hint. */
class HelpTest {
  @TestFactory
  Stream<DynamicTest> everyCommandHelpsWithAnExampleAndItsExitCodes() {
    return commands(CommandTree.of(TestConsole.silent()), List.of()).stream()
        .map(path ->
            DynamicTest.dynamicTest(
                "quiver " + String.join(" ", path),
                () -> {
                  List<String> arguments = new ArrayList<>(path);
                  arguments.add("--help");
                  var ended = Shell.plain().run(arguments.toArray(String[]::new));
                  assertThat(ended.exit()).isZero();
                  assertThat(ended.err()).isEmpty();
                  assertThat(ended.out())
                      .contains("Examples:\n  quiver " + String.join(" ", path))
                      .contains("Exit codes:\n  0 ")
                      .doesNotContain("\u001b");
                  assertThat(ended.out().lines()).allMatch(line -> line.length() <= 112);
                }));
  }

  @Test
  void theListOfCommandsHasOneShortLineForEach() {
    assertThat(CommandTree.of(TestConsole.silent()).getSubcommands().values())
        .allSatisfy(command ->
            assertThat(command.getCommandSpec().usageMessage().description()[0])
                .endsWith(".")
                .hasSizeLessThanOrEqualTo(60));
  }

  private static List<List<String>> commands(CommandLine command, List<String> path) {
    List<List<String>> all = new ArrayList<>();
    all.add(path);
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          List<String> longer = new ArrayList<>(path);
          longer.add(name);
          all.addAll(commands(sub, longer));
        });
    return all;
  }

  @Test
  void everyCommandThatDoesSomethingSpeaksJson() {
    assertThat(leaves(CommandTree.of(TestConsole.silent())))
        .hasSizeGreaterThan(10)
        .allSatisfy(command ->
            assertThat(command.getCommandSpec().findOption("--json"))
                .as(command.getCommandSpec().qualifiedName())
                .isNotNull());
  }

  private static List<CommandLine> leaves(CommandLine command) {
    if (command.getSubcommands().isEmpty()) {
      return List.of(command);
    }
    return command.getSubcommands().values().stream().flatMap(sub -> leaves(sub).stream()).toList();
  }

  @Test
  void aMistypedCommandGetsASuggestion() {
    var ended = Shell.plain().run("pt");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .startsWith("quiver: unknown command 'pt'; did you mean put")
        .hasLineCount(1);
  }

  @Test
  void aMistypedSubcommandGetsASuggestion() {
    assertThat(Shell.plain().run("digest", "crate").err()).contains("did you mean create?");
  }

  @Test
  void aMistypedOptionGetsASuggestion() {
    var ended = Shell.plain().run("up", "--capcity", "1GB");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("unknown option '--capcity'").contains("--capacity?");
  }

  @Test
  void aBadValueIsNamedInOneLine() {
    var ended = Shell.plain().run("up", "--capacity", "20x");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("--capacity").contains("\"20x\"").contains("200GB");
    assertThat(ended.err()).hasLineCount(1);
  }

  @Test
  void noCommandAtAllIsAUsageError() {
    var ended = Shell.plain().run();
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("quiver --help");
  }

  @Test
  void theVersionIsStamped() {
    assertThat(Shell.plain().run("--version").out())
        .matches("quiver [0-9]+\\.[0-9]+\\.[0-9]+\\S* \\(\\S+\\), Java 25\n");
  }

  @Test
  void coloursAreForTerminalsOnly() {
    assertThat(Shell.terminal().run("--help").out()).contains("\u001b[");
    assertThat(Shell.plain().run("--help").out()).doesNotContain("\u001b");
  }
}
