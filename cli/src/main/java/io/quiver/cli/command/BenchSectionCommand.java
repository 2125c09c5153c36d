package io.quiver.cli.command;

import io.quiver.benchmarks.section.Measurement;
import io.quiver.benchmarks.section.MeasurementReport;
import io.quiver.benchmarks.section.Section;
import io.quiver.benchmarks.section.SectionBenchmark;
import io.quiver.benchmarks.section.SectionOptions;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** One of the measurements besides serving; each section is a command of its own. */
public final class BenchSectionCommand extends Action {
  private final Section section;

  @Option(names = "--quick", description = "Measure less data in shorter slices.")
  private boolean quick;

  @Option(
      names = "--limit",
      paramLabel = "<time>",
      description = "Longest time of the whole run (default: 90s, with --quick 30s).")
  private @Nullable Duration limit;

  @Option(
      names = "--dir",
      paramLabel = "<folder>",
      description = "The disk to measure (default: the folder for temporary files).")
  private @Nullable Path directory;

  /** The command for a section. */
  public BenchSectionCommand(Section section) {
    this.section = section;
  }

  /** Returns the command with its name and help. */
  public CommandLine commandLine() {
    CommandLine command = new CommandLine(this);
    command.setCommandName(section.label());
    command
        .getCommandSpec()
        .usageMessage()
        .description(section.description() + ".")
        .footer(
            "  quiver bench " + section.label() + " --quick",
            "  quiver bench " + section.label() + " --dir /ssd --json",
            "",
            "With --json: [{\"name\", \"value\", \"unit\", \"beside\", \"beside_value\", \"judged\","
                + " \"target\",",
            "\"at_least\", \"passed\"}…]; what does not apply is null.");
    return command;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    List<Measurement> findings;
    try (BenchProgress progress = BenchProgress.on(output)) {
      findings = SectionBenchmark.run(section, options(), progress);
    }
    output.line(
        output.json()
            ? MeasurementReport.json(findings)
            : MeasurementReport.table(findings).stripTrailing());
    return ExitCode.OK;
  }

  private SectionOptions options() {
    SectionOptions options = SectionOptions.ofQuick(quick);
    options = limit == null ? options : options.withLimit(limit);
    return directory == null ? options : options.withDirectory(directory);
  }
}
