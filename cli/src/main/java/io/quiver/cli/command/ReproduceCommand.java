package io.quiver.cli.command;

import io.quiver.benchmarks.reproduce.Experiment;
import io.quiver.benchmarks.reproduce.Reproduction;
import io.quiver.benchmarks.reproduce.Reproduction.ReproductionPage;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.Ticker;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a published experiment again. */
@Command(
    name = "reproduce",
    description = {
      "Repeat experiments of the Quiver, SHADE and IGTCache papers.",
      "Runs in virtual time with the classes that run live, and shows the published"
          + " figures beside the results. Without a name, lists the experiments."
    },
    footer = {
      "  quiver reproduce",
      "  quiver reproduce quiver-table3",
      "  quiver reproduce quiver-fig6 --store-bandwidth-factor 0.5",
      "  quiver reproduce shade-fig12 --report hits.html",
      "  quiver reproduce quiver-table3 --json | jq '.[] | {workload, hit_s, coop_s}'",
      "",
      "With --json the figures are printed as one document, and no report is written unless asked"
          + " for."
    })
public final class ReproduceCommand extends Action {
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  @Parameters(
      arity = "0..1",
      paramLabel = "<experiment>",
      description = "Name of the experiment (default: list them).")
  private @Nullable String name;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Seed of everything random (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--store-bandwidth-factor",
      paramLabel = "<factor>",
      defaultValue = "1",
      description =
          "Bandwidth of the store as a multiple of the paper's, for quiver-fig6 (default:"
              + " ${DEFAULT-VALUE}).")
  private double storeFactor;

  @Option(
      names = "--report",
      paramLabel = "<file>",
      description = "File of the page with plots (default: <experiment>.html in this folder).")
  private @Nullable Path report;

  @Override
  ExitCode run(Output output) throws Exception {
    if (name == null) {
      list(output);
      return ExitCode.OK;
    }
    if (!(storeFactor > 0 && storeFactor <= 1000)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--store-bandwidth-factor " + storeFactor + " makes no sense; use 0.5 for half as fast");
    }
    Experiment experiment = find(name);
    Path place = report != null || output.json() ? report : Path.of(experiment.name() + ".html");
    @Nullable ReportFile file = place == null ? null : ReportFile.of(place);
    Reproduction result = run(experiment, output);
    if (file != null) {
      file.write(ReproductionPage.of(result));
    }
    if (output.json()) {
      output.document(result.document());
    } else {
      tell(result, file, output);
    }
    return result.good() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Experiment find(String name) throws CommandFailure {
    return Experiment.ALL.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new CommandFailure(
                ExitCode.USAGE,
                "no experiment is called \""
                    + name
                    + "\"; there are "
                    + Experiment.ALL.stream()
                        .map(Experiment::name)
                        .collect(Collectors.joining(", "))));
  }

  private Reproduction run(Experiment experiment, Output output) throws Exception {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger all = new AtomicInteger(1);
    try (Progress progress = output.progress(experiment.name(), Progress.Unit.SHARE);
        Ticker _ = Ticker.every(LOOK_EVERY, () -> show(runs.get(), all.get(), progress))) {
      return experiment.run(
          new Experiment.Setting(seed, storeFactor, "io.quiver.cli.Main"),
          (done, total) -> {
            all.set(total);
            runs.set(done);
          });
    }
  }

  private static void show(int done, int all, Progress progress) {
    progress.total(all);
    progress.update(done, done + " of " + all + (all == 1 ? " run" : " runs"));
  }

  private static void list(Output output) {
    if (output.json()) {
      output.document(
          Experiment.ALL.stream().map(each -> new Listed(each.name(), each.summary())).toList());
      return;
    }
    for (Experiment each : Experiment.ALL) {
      output.line(
          output.console().outPaint().name(String.format("%-16s", each.name())) + each.summary());
    }
  }

  /**
   * An experiment in the list.
   *
   * @param name what it is called
   * @param summary what it shows
   */
  record Listed(String name, String summary) {}

  private static void tell(Reproduction result, @Nullable ReportFile file, Output output) {
    Paint paint = output.console().outPaint();
    output.line(result.title());
    output.line("");
    Table table = result.table();
    table.lines(paint).forEach(output::line);
    output.line("");
    for (String remark : result.remarks()) {
      wrapped(remark).forEach(line -> output.line(paint.faint(line)));
    }
    if (file != null) {
      output.line("");
      output.line("report   " + paint.name(file.toString()));
    }
  }

  private static List<String> wrapped(String text) {
    StringBuilder all = new StringBuilder();
    int at = 0;
    for (String word : text.split(" ", -1)) {
      if (at + word.length() > 96) {
        all.append('\n');
        at = 0;
      } else if (at > 0) {
        all.append(' ');
      }
      all.append(word);
      at += word.length() + 1;
    }
    return all.toString().lines().toList();
  }
}
