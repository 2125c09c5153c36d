package io.quiver.cli.command;

import io.quiver.benchmarks.demo.DemoOptions;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.benchmarks.demo.transparent.TransparentMode;
import io.quiver.benchmarks.demo.transparent.TransparentOptions;
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
  private static final int JOB_EPOCHS = 2;
  private static final int TRANSPARENT_EPOCHS = 4;

  @Option(
      names = "--transparent",
      description = {
        "Show programs that nobody changes instead: a scan, a training, skewed queries and a slice"
            + " through folders read a bucket through a mount and an S3 endpoint. Linux, with the"
            + " packages fuse3 and python3.",
        "Takes --epochs, --cache-fraction, --store-mbps, --store-latency-ms, --modes, --seed, --dir,"
            + " --report and --scale."
      })
  private boolean transparent;

  @Option(
      names = "--scale",
      paramLabel = "<factor>",
      defaultValue = "1",
      description =
          "With --transparent: the number of files, as a multiple of the usual one (default:"
              + " ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--jobs",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Number of jobs (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--epochs",
      paramLabel = "<n>",
      description = "Epochs of each job (default: 2; with --transparent 4).")
  private @Nullable Integer epochs;

  @Option(
      names = "--items",
      paramLabel = "<n>",
      defaultValue = "10000",
      description = "Items of the data set that is made (default: ${DEFAULT-VALUE}).")
  private int items;

  @Option(
      names = "--item-bytes",
      paramLabel = "<n>",
      defaultValue = "20000",
      description = "Mean bytes of an item (default: ${DEFAULT-VALUE}).")
  private int itemBytes;

  @Option(
      names = "--cache-fraction",
      paramLabel = "<share>",
      defaultValue = "0.2",
      description = "Cache size as a share of the data set (default: ${DEFAULT-VALUE}).")
  private double cacheFraction;

  @Option(
      names = "--speeds",
      paramLabel = "<factors>",
      split = ",",
      defaultValue = "1",
      description =
          "Factors of the work of each job on a batch, such as 1,1.3,2,3: a job with 2 takes"
              + " twice as long (default: all 1).")
  private List<Double> speeds;

  @Option(
      names = "--stagger-s",
      paramLabel = "<seconds>",
      defaultValue = "0",
      description = "Seconds between the starts of two jobs (default: 0).")
  private double stagger;

  @Option(
      names = "--epoch-s",
      paramLabel = "<seconds>",
      defaultValue = "7.2",
      description =
          "Seconds of work in an epoch, for a job that never waits for data (default:"
              + " ${DEFAULT-VALUE}).")
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
          "Megabytes per second that the store gives all jobs together (default:"
              + " ${DEFAULT-VALUE}).")
  private double storeMegabytes;

  @Option(
      names = "--store-latency-ms",
      paramLabel = "<n>",
      defaultValue = "15",
      description =
          "Latency of a read from the store; up to half as much is added at random (default:"
              + " ${DEFAULT-VALUE}).")
  private double storeLatency;

  @Option(
      names = "--planner",
      paramLabel = "<name>",
      defaultValue = "marginal",
      description =
          "Planner of the mode quiver: marginal, greedy3, igt, lru, pinned or none (default:"
              + " ${DEFAULT-VALUE}).")
  private PlannerKind planner;

  @Option(
      names = "--modes",
      paramLabel = "<names>",
      split = ",",
      description =
          "Modes to run: none (no cache), lru (a plain shared cache), pinned (one that"
              + " evicts nothing), quiver, all-cached (the best case); with --transparent: none,"
              + " lru, streams (default: all).")
  private List<String> modes = List.of();

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Seed of the data set and of every order (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--digest",
      paramLabel = "<file>",
      description = "Digest of a data set of your own, to use instead of a made one.")
  private @Nullable Path digest;

  @Option(
      names = "--store",
      paramLabel = "<uri>",
      defaultValue = "",
      description = "Store of the items of that digest (default: the store it was made from).")
  private String store;

  @Option(
      names = "--dir",
      paramLabel = "<folder>",
      description =
          "Folder of the data set, which is kept for the next run, and of the caches, which"
              + " are removed (default: $XDG_CACHE_HOME/quiver-demo or ~/.quiver-demo).")
  private @Nullable Path folder;

  @Option(
      names = "--report",
      paramLabel = "<file>",
      description = "File of the report (default: report.html in the folder of --dir).")
  private @Nullable Path report;

  @Option(
      names = "--plot",
      paramLabel = "<file>",
      description = "Also write the main plot, as an SVG picture, to this file.")
  private @Nullable Path plot;

  /** Returns the chosen options. */
  DemoOptions options(Console console) {
    Path home = folder(console);
    if (scale != 1) {
      throw new IllegalArgumentException("--scale " + scale + " needs --transparent");
    }
    return new DemoOptions(
        scenario(),
        modes.isEmpty() ? List.of(DemoMode.values()) : modes.stream().map(DemoMode::parse).toList(),
        new DemoOptions.Data(items, itemBytes, Optional.ofNullable(digest), store),
        home,
        report(console),
        Optional.ofNullable(plot));
  }

  /** Returns true if the demo of unmodified programs is chosen. */
  boolean isTransparent() {
    return transparent;
  }

  /** Returns the chosen options of the demo of unmodified programs. */
  TransparentOptions transparentOptions(Console console) {
    if (digest != null || plot != null) {
      throw new IllegalArgumentException("--transparent takes neither --digest nor --plot");
    }
    return new TransparentOptions(
        modes.isEmpty()
            ? List.of(TransparentMode.values())
            : modes.stream().map(TransparentMode::parse).toList(),
        scale,
        epochs == null ? TRANSPARENT_EPOCHS : epochs,
        cacheFraction,
        Math.round(storeMegabytes * MEGA),
        duration("--store-latency-ms", storeLatency, 1e6),
        seed,
        folder(console));
  }

  /** Returns the file of the report. */
  Path report(Console console) {
    Path file = report == null ? folder(console).resolve("report.html") : report;
    return file.toAbsolutePath().normalize();
  }

  private DemoScenario scenario() {
    return new DemoScenario(
        jobs,
        epochs == null ? JOB_EPOCHS : epochs,
        batch,
        new DemoScenario.Work(
            duration("--epoch-s", epochSeconds, 1e9),
            speeds,
            duration("--stagger-s", stagger, 1e9)),
        cacheFraction,
        new DemoScenario.Store(
            Math.round(storeMegabytes * MEGA), duration("--store-latency-ms", storeLatency, 1e6)),
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
