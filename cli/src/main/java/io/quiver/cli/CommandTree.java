package io.quiver.cli;

import io.quiver.benchmarks.section.Section;
import io.quiver.cli.command.BenchCommand;
import io.quiver.cli.command.BenchSectionCommand;
import io.quiver.cli.command.BenchServeCommand;
import io.quiver.cli.command.CapacityConverter;
import io.quiver.cli.command.CompletionCommand;
import io.quiver.cli.command.DemoCommand;
import io.quiver.cli.command.DigestCommand;
import io.quiver.cli.command.DigestCreateCommand;
import io.quiver.cli.command.DigestDiffCommand;
import io.quiver.cli.command.DigestShowCommand;
import io.quiver.cli.command.DigestVerifyCommand;
import io.quiver.cli.command.GetCommand;
import io.quiver.cli.command.JobCommand;
import io.quiver.cli.command.JobsCommand;
import io.quiver.cli.command.LedgerCommand;
import io.quiver.cli.command.LedgerShowCommand;
import io.quiver.cli.command.LedgerVerifyCommand;
import io.quiver.cli.command.PlanCommand;
import io.quiver.cli.command.PreferenceCommand;
import io.quiver.cli.command.PutCommand;
import io.quiver.cli.command.QuotaCommand;
import io.quiver.cli.command.ReproduceCommand;
import io.quiver.cli.command.ServerCommand;
import io.quiver.cli.command.SimulateCommand;
import io.quiver.cli.command.SpaceCommand;
import io.quiver.cli.command.SpaceDropCommand;
import io.quiver.cli.command.SpaceListCommand;
import io.quiver.cli.command.StatCommand;
import io.quiver.cli.command.UpCommand;
import io.quiver.cli.command.WarmCommand;
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
    CommandLine tree =
        new CommandLine(new QuiverCommand())
            .addSubcommand(new DemoCommand(console))
            .addSubcommand(new UpCommand(console))
            .addSubcommand(new JobCommand(console))
            .addSubcommand(new WarmCommand(console))
            .addSubcommand(new ServerCommand(console))
            .addSubcommand(new PutCommand(console))
            .addSubcommand(new GetCommand(console))
            .addSubcommand(new StatCommand(console))
            .addSubcommand(new JobsCommand(console))
            .addSubcommand(new PlanCommand(console))
            .addSubcommand(new PreferenceCommand.Pin(console))
            .addSubcommand(new PreferenceCommand.Unpin(console))
            .addSubcommand(new PreferenceCommand.Never(console))
            .addSubcommand(new QuotaCommand(console))
            .addSubcommand(space(console))
            .addSubcommand(digest(console))
            .addSubcommand(ledger(console))
            .addSubcommand(new SimulateCommand(console))
            .addSubcommand(new ReproduceCommand(console))
            .addSubcommand(bench(console))
            .addSubcommand(new CompletionCommand(console));
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

  private static CommandLine space(Console console) {
    return new CommandLine(new SpaceCommand())
        .addSubcommand(new SpaceListCommand(console))
        .addSubcommand(new SpaceDropCommand(console));
  }

  private static CommandLine digest(Console console) {
    return new CommandLine(new DigestCommand())
        .addSubcommand(new DigestCreateCommand(console))
        .addSubcommand(new DigestShowCommand(console))
        .addSubcommand(new DigestVerifyCommand(console))
        .addSubcommand(new DigestDiffCommand(console));
  }

  private static CommandLine ledger(Console console) {
    return new CommandLine(new LedgerCommand())
        .addSubcommand(new LedgerVerifyCommand(console))
        .addSubcommand(new LedgerShowCommand(console));
  }

  private static CommandLine bench(Console console) {
    CommandLine bench =
        new CommandLine(new BenchCommand()).addSubcommand(new BenchServeCommand(console));
    for (Section section : Section.values()) {
      bench.addSubcommand(new BenchSectionCommand(console, section).commandLine());
    }
    return bench;
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
