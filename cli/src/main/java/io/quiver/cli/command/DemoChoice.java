package io.quiver.cli.command;

import io.quiver.benchmarks.demo.DemoOptions;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.cli.console.Console;
import io.quiver.core.plan.PlannerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the demo. */
final class DemoChoice {
  private static final long MEGA = 1_000_000;

  @Option(
      names = "--jobs",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "How many jobs (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--epochs",
      paramLabel = "<n>",
      defaultValue = "2",
      description = "Epochs of each (default: ${DEFAULT-VALUE}).")
  private int epochs;

  @Option(
      names = "--items",
      paramLabel = "<n>",
      defaultValue = "10000",
      description = "Items of the data set it makes (default: ${DEFAULT-VALUE}).")
  private int items;

  @Option(
      names = "--item-bytes",
      paramLabel = "<n>",
      defaultValue = "20000",
      description = "Their bytes on average (default: ${DEFAULT-VALUE}).")
  private int itemBytes;

  @Option(
      names = "--cache-fraction",
      paramLabel = "<share>",
      defaultValue = "0.2",
      description = "Which part of the data the cache may hold (default: ${DEFAULT-VALUE}).")
  private double cacheFraction;

  @Option(
      names = "--speeds",
      paramLabel = "<factors>",
      split = ",",
      defaultValue = "1",
      description =
          "How many times longer each job works on a batch, such as 1,1.3,2,3 (default: all 1).")
  private List<Double> speeds;

  @Option(
      names = "--stagger-s",
      paramLabel = "<seconds>",
      defaultValue = "0",
      description = "How much later each job starts than the one before (default: 0).")
  private double stagger;

  @Option(
      names = "--epoch-s",
      paramLabel = "<seconds>",
      defaultValue = "7.2",
      description =
          "How long an epoch takes a job that never waits: its work, without a GPU"
              + " (default: ${DEFAULT-VALUE}).")
  private double epochSeconds;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "64",
      description = "Items of a batch (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--store-mbps",
      paramLabel = "<n>",
      defaultValue = "32",
      description =
          "Megabytes per second the store gives all jobs together (default: ${DEFAULT-VALUE}).")
  private double storeMegabytes;

  @Option(
      names = "--store-latency-ms",
      paramLabel = "<n>",
      defaultValue = "15",
      description =
          "How long the store takes to answer; up to half as much is added at random"
              + " (default: ${DEFAULT-VALUE}).")
  private double storeLatency;

  @Option(
      names = "--planner",
      paramLabel = "<name>",
      defaultValue = "marginal",
      description =
          "Who decides what the cache holds in the mode quiver: marginal, greedy3, lru or none"
              + " (default: ${DEFAULT-VALUE}).")
  private PlannerKind planner;

  @Option(
      names = "--modes",
      paramLabel = "<names>",
      split = ",",
      defaultValue = "none,lru,quiver,all-cached",
      description =
          "What to run: some of none, lru, quiver and all-cached, the yardstick"
              + " (default: ${DEFAULT-VALUE}).")
  private List<String> modes;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Decides the data set and every order (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--digest",
      paramLabel = "<file>",
      description = "Run on a data set of your own, by its digest.")
  private @Nullable Path digest;

  @Option(
      names = "--store",
      paramLabel = "<uri>",
      defaultValue = "",
      description = "Where the items of that digest lie (default: where it was made).")
  private String store;

  @Option(
      names = "--dir",
      paramLabel = "<folder>",
      description =
          "Where the data set is kept for the next time and caches are laid meanwhile"
              + " (default: $XDG_CACHE_HOME/quiver-demo or ~/.quiver-demo).")
  private @Nullable Path folder;

  @Option(
      names = "--report",
      paramLabel = "<file>",
      description = "Where the report goes (default: report.html in the folder of --dir).")
  private @Nullable Path report;

  @Option(
      names = "--plot",
      paramLabel = "<file>",
      description = "Write the main plot as an SVG picture, too.")
  private @Nullable Path plot;

  /** Returns the chosen options. */
  DemoOptions options(Console console) {
    Path home = folder(console);
    return new DemoOptions(
        scenario(),
        modes.stream().map(DemoMode::parse).toList(),
        items,
        itemBytes,
        Optional.ofNullable(digest),
        store,
        home,
        (report == null ? home.resolve("report.html") : report).toAbsolutePath().normalize(),
        Optional.ofNullable(plot));
  }

  private DemoScenario scenario() {
    return new DemoScenario(
        jobs,
        epochs,
        batch,
        duration("--epoch-s", epochSeconds, 1e9),
        speeds,
        duration("--stagger-s", stagger, 1e9),
        cacheFraction,
        Math.round(storeMegabytes * MEGA),
        duration("--store-latency-ms", storeLatency, 1e6),
        planner,
        seed);
  }

  private static Duration duration(String option, double value, double nanos) {
    if (!(value >= 0 && value < 1e8)) {
      throw new IllegalArgumentException(
          option + " " + value + " makes no sense; use a number from 0 up");
    }
    return Duration.ofNanos(Math.round(value * nanos));
  }

  private Path folder(Console console) {
    if (folder != null) {
      return folder.toAbsolutePath().normalize();
    }
    String caches = console.environment().getOrDefault("XDG_CACHE_HOME", "");
    return caches.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".quiver-demo")
        : Path.of(caches, "quiver-demo");
  }
}
