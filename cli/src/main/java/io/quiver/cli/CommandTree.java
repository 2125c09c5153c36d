package io.quiver.cli;

import io.quiver.benchmarks.section.Section;
import io.quiver.cli.command.BenchSectionCommand;
import io.quiver.cli.command.CapacityConverter;
import io.quiver.cli.command.CommandGroup;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.VersionLine;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.space.SpaceId;
import io.quiver.node.Capacity;
import io.quiver.report.ByteSize;
import io.quiver.report.TimeSpan;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Every command there is, with what they all share: value types, exit codes, errors, colours. */
final class CommandTree {
  private static final int HELP_COLUMNS = 100;

  private CommandTree() {}

  static CommandLine of(Console console) {
    CommandLine tree = new CommandLine(new CommandGroup.Quiver(console));
    CommandLine bench = Objects.requireNonNull(tree.getSubcommands().get("bench"));
    for (Section section : Section.values()) {
      bench.addSubcommand(new BenchSectionCommand(section).commandLine());
    }
    tree.setExpandAtFiles(false);
    converters(tree);
    everywhere(tree, CommandTree::shareHelp);
    tree.setOut(writer(console.out()));
    tree.setErr(writer(console.err()));
    tree.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.outPaint().on() ? Ansi.ON : Ansi.OFF));
    tree.setUsageHelpWidth(HELP_COLUMNS);
    tree.setCaseInsensitiveEnumValuesAllowed(true);
    tree.setParameterExceptionHandler(new UsageErrors(console));
    tree.setExecutionExceptionHandler(new ExecutionErrors(console));
    return tree;
  }

  private static PrintWriter writer(OutputStream out) {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  private static void everywhere(CommandLine command, Consumer<CommandLine> what) {
    what.accept(command);
    command.getSubcommands().values().forEach(sub -> everywhere(sub, what));
  }

  private static void shareHelp(CommandLine command) {
    command.getCommandSpec().mixinStandardHelpOptions(true);
    command
        .getCommandSpec()
        .versionProvider(new VersionLine())
        .usageMessage()
        .sortOptions(false)
        .optionListHeading("%nOptions:%n")
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.table());
  }

  private static void converters(CommandLine tree) {
    tree.registerConverter(ByteSize.class, checked(ByteSize::parse));
    tree.registerConverter(Capacity.class, checked(CapacityConverter::parse));
    tree.registerConverter(Duration.class, checked(TimeSpan::parse));
    tree.registerConverter(PlannerKind.class, checked(PlannerKind::parse));
    tree.registerConverter(DatasetKey.class, checked(DatasetKey::new));
    tree.registerConverter(SpaceId.class, checked(SpaceId::new));
    tree.registerConverter(ContentHash.class, checked(ContentHash::fromHex));
  }

  /** Lets a parser's own words reach the user, instead of a stack of exception names. */
  private static <T> ITypeConverter<T> checked(Function<String, T> parser) {
    return text -> {
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }
}
