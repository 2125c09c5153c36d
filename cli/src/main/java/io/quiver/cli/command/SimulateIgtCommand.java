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
import io.quiver.simulator.igt.eviction.EvictionStudy;
import io.quiver.simulator.igt.pattern.RecognitionStudy;
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
      "\"chr\": hit ratio, \"jct_s\": mean completion time}…],",
      "\"recognition\": [{\"pattern\", \"window\", \"accuracy\"}…],",
      "\"eviction\": [{\"workload\", \"cache_fraction\", \"policy\", \"hit_ratio\"}…],",
      "\"overhead\": {\"us_per_read\", \"bytes\"}}."
    })
public final class SimulateIgtCommand extends Action {
  /** Windows of each way of reading that are to be recognised. */
  private static final int WINDOWS = 100;

  /** Items of the traces for rules of eviction, and reads of each. */
  private static final int ITEMS = 2_000;

  private static final int PASSES = 8;

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

  /**
   * The share of windows of reads that are recognised rightly.
   *
   * @param pattern the way of reading
   * @param window reads of a window
   * @param accuracy the share
   */
  record Recognised(String pattern, int window, double accuracy) {}

  /** The document for scripts. */
  record Document(
      List<System> endToEnd,
      List<Recognised> recognition,
      List<EvictionStudy.Row> eviction,
      Overhead overhead) {}

  @Override
  ExitCode run(Output output) throws CommandFailure {
    List<IgtStudy.Row> rows;
    List<RecognitionStudy.Row> windows;
    List<EvictionStudy.Row> evictions;
    OverheadStudy.Row cost;
    try (Progress progress = output.progress("simulating", Progress.Unit.SHARE)) {
      progress.total(100);
      rows =
          new IgtStudy(scale, seed)
              .endToEnd(
                  List.of(CacheKind.values()), (done, all) -> progress.update(60L * done / all));
      windows =
          RecognitionStudy.doors(
              WINDOWS, seed, (done, all) -> progress.update(60 + 20L * done / all));
      evictions =
          EvictionStudy.run(
              ITEMS, PASSES, seed, (done, all) -> progress.update(80 + 15L * done / all));
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      cost = OverheadStudy.run(List.of(10_000), seed, threads::getCurrentThreadCpuTime).getFirst();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
    Document document =
        new Document(
            rows.stream().map(SimulateIgtCommand::system).toList(),
            windows.stream()
                .map(each -> new Recognised(each.pattern(), each.window(), each.accuracy()))
                .toList(),
            evictions,
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
    Table recognised = new Table("way of reading", "window", "recognised");
    for (Recognised each : document.recognition) {
      recognised.row(each.pattern, String.valueOf(each.window), Figures.ratio(each.accuracy));
    }
    recognised.lines(output.console().outPaint()).forEach(output::line);
    output.line("");
    output.line(
        "recognition  %s µs a read, %s MB of memory for 10,000 streams"
            .formatted(
                Figures.ratio(document.overhead.usPerRead),
                Figures.ratio(document.overhead.bytes / 1e6)));
  }
}
