package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.igt.CacheKind;
import io.quiver.simulator.igt.IgtStudy;
import io.quiver.simulator.igt.OverheadStudy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares caches under programs of all kinds. */
@Command(
    name = "igt",
    description = {
      "Compare caches that many kinds of programs share (IGTCache).",
      "Runs the 18 programs of the paper over one slow store, in virtual time; what recognises,"
          + " prefetches, evicts and allocates for quiver are the classes that run live."
    },
    footer = {
      "  quiver simulate igt",
      "  quiver simulate igt --scale 0.1 --seed 7",
      "  quiver simulate igt --json | jq '.end_to_end[] | {system, chr, jct_s}'",
      "",
      "With --json: {\"end_to_end\": [{\"system\": \"quiver\"|\"igt\"|\"juicefs\"|\"lru\"|…,",
      "\"chr\": hit ratio, \"jct_s\": mean completion time}…], \"overhead\": {\"us_per_read\",",
      "\"bytes\"}}."
    })
public final class SimulateIgtCommand extends Action {
  private static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";

  @Option(
      names = "--scale",
      paramLabel = "<factor>",
      description = "Items and cache as a multiple of the paper's" + DEFAULT)
  private double scale = 0.02;

  @Option(names = "--seed", paramLabel = "<n>", description = "Seed of everything random" + DEFAULT)
  private long seed = 1;

  /**
   * The result of one cache.
   *
   * @param system its name
   * @param chr the share of reads that did not wait for the store
   * @param jctS the mean time from submission to the end of a program
   */
  record System(String system, double chr, double jctS) {}

  /**
   * The cost of recognition at the usual bound of nodes.
   *
   * @param usPerRead time of a read in the tree, in microseconds
   * @param bytes memory of the tree
   */
  record Overhead(double usPerRead, long bytes) {}

  /** The document for scripts. */
  record Document(List<System> endToEnd, Overhead overhead) {}

  @Override
  ExitCode run(Output output) throws CommandFailure {
    List<IgtStudy.Row> rows;
    OverheadStudy.Row cost;
    try (Progress progress = output.progress("simulating", Progress.Unit.SHARE)) {
      progress.total(100);
      rows =
          new IgtStudy(scale, seed)
              .endToEnd(
                  List.of(CacheKind.values()),
                  (done, all) -> progress.update(90L * done / all));
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      cost =
          OverheadStudy.run(List.of(10_000), seed, threads::getCurrentThreadCpuTime).getFirst();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
    Document document =
        new Document(
            rows.stream().map(SimulateIgtCommand::system).toList(),
            new Overhead(cost.usPerRead(), cost.bytes()));
    if (output.json()) {
      output.document(document);
    } else {
      tell(document, output);
    }
    return ExitCode.OK;
  }

  private static System system(IgtStudy.Row row) {
    return new System(
        row.system().word(),
        row.result().hitRatio(any -> true),
        row.result().meanSeconds(any -> true));
  }

  private static void tell(Document document, Output output) {
    Table table = new Table("cache", "hits", "mean completion time");
    for (System each : document.endToEnd) {
      table.row(each.system, Figures.ratio(each.chr), Figures.seconds(each.jctS));
    }
    table.lines(output.console().outPaint()).forEach(output::line);
    output.line("");
    output.line(
        "recognition  %s µs a read, %s MB of memory for 10,000 streams"
            .formatted(
                Figures.ratio(document.overhead.usPerRead),
                Figures.ratio(document.overhead.bytes / 1e6)));
  }
}
