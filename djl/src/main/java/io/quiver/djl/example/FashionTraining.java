package io.quiver.djl.example;

import io.quiver.cli.console.ByteSize;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.OutputOptions;
import io.quiver.cli.console.Progress;
import io.quiver.cli.console.Table;
import io.quiver.cli.console.Version;
import io.quiver.cli.demo.WorkFolder;
import io.quiver.cli.node.EmbeddedCluster;
import io.quiver.core.plan.PlannerKind;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The example as a program: its options, and what it says. */
@Command(
    name = "train-fashion",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description =
        "Trains a small network on Fashion-MNIST with Deep Java Library. Samples come through a"
            + " cluster in the same process whose cache holds a part of them.",
    footer = {
      "",
      "With --json: {\"images\": n, \"bytes\": n, \"cache_bytes\": n, \"exactly_once\": true,",
      "\"epochs\": [{epoch, seconds, train_loss, test_accuracy, hit_ratio, store_reads,",
      "store_reads_per_item, stall}…]}; ratios are shares from 0 to 1."
    })
public final class FashionTraining implements Callable<Integer> {
  private static final int MAX_EPOCHS = 1000;

  private final Console console;

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description = "Folder of the four idx files (default: where the Debian package puts them).")
  private Path data = Images.PACKAGED;

  @Option(
      names = "--epochs",
      paramLabel = "<n>",
      defaultValue = "3",
      description = "How many epochs (default: ${DEFAULT-VALUE}).")
  private int epochs;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "128",
      description = "Pictures in a batch (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--cache",
      paramLabel = "<share>",
      defaultValue = "0.5",
      description = "How much of the data set the cache holds (default: ${DEFAULT-VALUE}).")
  private double share;

  @Option(
      names = "--node",
      paramLabel = "<address>",
      description = "Use the cache of a node that runs, http://host:7400, instead of an own one.")
  private @Nullable URI node;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "60000",
      description = "Train on the first so many pictures only (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Decides order and first weights (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Mixin private final OutputOptions outputOptions = new OutputOptions();

  /** The program on a console. */
  public FashionTraining(Console console) {
    this.console = console;
  }

  /** Runs it and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(Console.ofProcess(), arguments));
  }

  /** Runs it on a console and returns its exit code. */
  static int run(Console console, String... arguments) {
    return new CommandLine(new FashionTraining(console))
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          console.err().println("train-fashion: " + reason(failure));
          if (parsed.hasMatchedOption("--verbose")) {
            failure.printStackTrace(console.err());
          }
          return failure instanceof CommandFailure known
              ? known.exit().code()
              : ExitCode.FAILED.code();
        })
        .execute(arguments);
  }

  private static String reason(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }

  @Override
  public Integer call() throws Exception {
    requireSense();
    System.setProperty("quiver.log.level", outputOptions.verbose() ? "DEBUG" : "WARN");
    Output output = outputOptions.on(console);
    try (WorkFolder folder = WorkFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      Images pictures = Images.read(data, "train").first(limit);
      Images test = Images.read(data, "t10k");
      ImageStore store = ImageStore.write(pictures, folder.path());
      long bytes = (long) pictures.count() * Images.BYTES;
      FashionRun.Outcome outcome =
          node == null
              ? embedded(store, pictures, test, folder.path(), output)
              : train(store, pictures, test, node, output);
      tell(new Document(pictures.count(), bytes, cacheBytes(bytes), outcome), output);
      return outcome.exactlyOnce() ? ExitCode.OK.code() : ExitCode.NOT_EXACTLY_ONCE.code();
    }
  }

  private void requireSense() throws CommandFailure {
    require(epochs >= 1 && epochs <= MAX_EPOCHS, "--epochs " + epochs, "1 to " + MAX_EPOCHS);
    require(batch >= 1 && batch <= limit, "--batch " + batch, "1 to " + limit);
    require(share > 0 && share <= 1, "--cache " + share, "a share above 0, up to 1");
  }

  private static void require(boolean fine, String what, String remedy) throws CommandFailure {
    if (!fine) {
      throw new CommandFailure(ExitCode.USAGE, what + " makes no sense; use " + remedy);
    }
  }

  private long cacheBytes(long bytes) {
    return node == null ? Math.max(1, Math.round(share * bytes)) : 0;
  }

  private FashionRun.Outcome embedded(
      ImageStore store, Images pictures, Images test, Path folder, Output output) throws Exception {
    long budget = cacheBytes((long) pictures.count() * Images.BYTES);
    output.note(
        String.format(
            Locale.ROOT,
            "%,d pictures, a cache of %s in this process",
            pictures.count(),
            ByteSize.show(budget)));
    try (EmbeddedCluster cluster =
        EmbeddedCluster.open(folder.resolve("cache"), budget, PlannerKind.MARGINAL)) {
      return train(store, pictures, test, cluster.uri(), output);
    }
  }

  private FashionRun.Outcome train(
      ImageStore store, Images pictures, Images test, URI cache, Output output) throws Exception {
    FashionRun run = new FashionRun(store, test, cache, epochs, batch, seed);
    try (Progress progress = output.progress("training", Progress.Unit.SAMPLES)) {
      progress.total((long) epochs * pictures.count());
      return run.train(
          pictures.count(), progress::update, each -> sayEnded(each, progress, output));
    }
  }

  private void sayEnded(EpochResult each, Progress progress, Output output) {
    // Wipes the bar away; the next update draws it again.
    progress.close();
    output.note(line(each));
  }

  private String line(EpochResult each) {
    return String.format(
        Locale.ROOT,
        "epoch %d of %d: %.2f %% right, %.1f s",
        each.epoch(),
        epochs,
        100 * each.testAccuracy(),
        each.seconds());
  }

  private static void tell(Document document, Output output) {
    if (output.json()) {
      output.document(document);
      return;
    }
    Table table =
        new Table(
            "epoch", "loss", "test accuracy", "seconds", "stall", "hits", "store reads per item");
    for (EpochResult each : document.epochs()) {
      table.row(
          String.valueOf(each.epoch()),
          String.format(Locale.ROOT, "%.3f", each.trainLoss()),
          percent(each.testAccuracy()),
          String.format(Locale.ROOT, "%.1f", each.seconds()),
          percent(each.stall()),
          percent(each.hitRatio()),
          String.format(Locale.ROOT, "%.3f", each.storeReadsPerItem()));
    }
    table.lines(output.console().outPaint()).forEach(output::line);
    output.line("every sample exactly once per epoch: " + (document.exactlyOnce() ? "yes" : "NO"));
    output.flush();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private record Document(
      int images, long bytes, long cacheBytes, boolean exactlyOnce, List<EpochResult> epochs) {
    Document(int images, long bytes, long cacheBytes, FashionRun.Outcome outcome) {
      this(images, bytes, cacheBytes, outcome.exactlyOnce(), outcome.epochs());
    }
  }
}
