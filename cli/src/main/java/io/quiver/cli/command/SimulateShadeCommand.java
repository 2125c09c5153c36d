package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.shade.ShadeStudy;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares caches under importance sampling. */
@Command(
    name = "shade",
    description = {
      "Compare policies of sampling and caching by importance (SHADE).",
      "Trains a small model; samplers and keepers are those that run live. First reads count as"
          + " misses; coverage is the share of different samples in an epoch."
    },
    footer = {
      "  quiver simulate shade --items 100000 --epochs 20 --seed 7",
      "  quiver simulate shade --json | jq '.[] | select(.cache_fraction == 0.1)'",
      "",
      "With --json: [{\"policy\": \"shade\"|\"shade-paper\"|\"lru\"|\"lru-same-draws\"|\"lfu\"|…,",
      "\"cache_fraction\": 0.1|0.2|0.5|0.75, \"hit_ratio\": 0 to 1, \"coverage\": 0 to 1}…]."
    })
public final class SimulateShadeCommand extends Action {
  private static final String N = "<n>";
  private static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";

  @Option(names = "--items", paramLabel = N, description = "Samples of the data set" + DEFAULT)
  private int items = 50000;

  @Option(names = "--epochs", paramLabel = N, description = "Number of epochs" + DEFAULT)
  private int epochs = 10;

  @Option(names = "--batch", paramLabel = N, description = "Samples of a batch" + DEFAULT)
  private int batch = 128;

  @Option(names = "--seed", paramLabel = N, description = "Seed of everything random" + DEFAULT)
  private long seed = 1;

  @Override
  ExitCode run(Output output) throws CommandFailure {
    List<ShadeStudy.Row> rows;
    try (Progress progress = output.progress("training", Progress.Unit.SHARE)) {
      progress.total(100);
      ShadeStudy study = new ShadeStudy(items, epochs, batch, seed);
      rows = study.run((done, all) -> progress.update(100L * done / all));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
    if (output.json()) {
      output.document(rows);
    } else {
      table(rows).lines(output.console().outPaint()).forEach(output::line);
    }
    return ExitCode.OK;
  }

  /** Returns a line for each policy, which has a row for each of four caches. */
  private static Table table(List<ShadeStudy.Row> rows) {
    Table table = new Table("policy", "10 %", "20 %", "50 %", "75 %", "coverage");
    for (int at = 0; at < rows.size(); at += 4) {
      table.row(
          rows.get(at).policy(),
          Figures.ratio(rows.get(at).hitRatio()),
          Figures.ratio(rows.get(at + 1).hitRatio()),
          Figures.ratio(rows.get(at + 2).hitRatio()),
          Figures.ratio(rows.get(at + 3).hitRatio()),
          Figures.ratio(rows.get(at).coverage()));
    }
    return table;
  }
}
