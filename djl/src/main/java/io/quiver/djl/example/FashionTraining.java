package io.quiver.djl.example;

import io.quiver.core.plan.PlannerKind;
import io.quiver.node.BuildVersion;
import io.quiver.node.EmbeddedCluster;
import io.quiver.node.WorkFolder;
import io.quiver.protocol.Json;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** Runs the example as a program: reads its options, trains and prints the result. */
@Command(
    name = "train-fashion",
    mixinStandardHelpOptions = true,
    versionProvider = FashionTraining.Version.class,
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

  // The exit codes of the quiver command.
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 4;
  static final int NOT_EXACTLY_ONCE = 5;

  private final PrintStream out;
  private final PrintStream err;

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
      description = "Cache size as a share of the data set (default: ${DEFAULT-VALUE}).")
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

  @Option(names = "--json", description = "Print one JSON document instead of a table.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Say nothing along the way; print results and errors only.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show the log, and the causes of errors.")
  private boolean verbose;

  /** Creates the program with the streams it prints to. */
  FashionTraining(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the program and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs the program and returns its exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    return new CommandLine(new FashionTraining(out, err))
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          String message = failure.getMessage();
          err.println("train-fashion: " + (message == null ? failure.toString() : message));
          if (parsed.hasMatchedOption("--verbose")) {
            failure.printStackTrace(err);
          }
          return switch (failure) {
            case IllegalArgumentException _ -> USAGE;
            case NoSuchFileException _ -> NOT_FOUND;
            default -> FAILED;
          };
        })
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    requireSense();
    System.setProperty("logback.configurationFile", "io/quiver/djl/example/logback.xml");
    System.setProperty("quiver.log.level", verbose ? "DEBUG" : "WARN");
    try (WorkFolder folder = WorkFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      Images pictures = Images.read(data, "train").first(limit);
      Images test = Images.read(data, "t10k");
      ImageStore store = ImageStore.write(pictures, folder.path());
      long bytes = (long) pictures.count() * Images.BYTES;
      FashionRun.Outcome outcome =
          node == null
              ? embedded(store, pictures, test, folder.path())
              : train(store, pictures, test, node);
      print(new Document(pictures.count(), bytes, cacheBytes(bytes), outcome));
      return outcome.exactlyOnce() ? 0 : NOT_EXACTLY_ONCE;
    }
  }

  private void requireSense() {
    require(epochs >= 1 && epochs <= MAX_EPOCHS, "--epochs " + epochs, "1 to " + MAX_EPOCHS);
    require(batch >= 1 && batch <= limit, "--batch " + batch, "1 to " + limit);
    require(share > 0 && share <= 1, "--cache " + share, "a share above 0, up to 1");
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + " makes no sense; use " + remedy);
    }
  }

  private long cacheBytes(long bytes) {
    return node == null ? Math.max(1, Math.round(share * bytes)) : 0;
  }

  private FashionRun.Outcome embedded(ImageStore store, Images pictures, Images test, Path folder)
      throws Exception {
    long budget = cacheBytes((long) pictures.count() * Images.BYTES);
    note(
        String.format(
            Locale.ROOT,
            "%,d pictures, a cache of %s in this process",
            pictures.count(),
            ByteSize.show(budget)));
    try (EmbeddedCluster cluster =
        EmbeddedCluster.open(folder.resolve("cache"), budget, PlannerKind.MARGINAL)) {
      return train(store, pictures, test, cluster.uri());
    }
  }

  private FashionRun.Outcome train(ImageStore store, Images pictures, Images test, URI cache)
      throws Exception {
    return new FashionRun(store, test, cache, epochs, batch, seed)
        .train(
            pictures.count(),
            each ->
                note(
                    String.format(
                        Locale.ROOT,
                        "epoch %d of %d: %.2f %% right, %.1f s",
                        each.epoch(),
                        epochs,
                        100 * each.testAccuracy(),
                        each.seconds())));
  }

  private void note(String text) {
    if (!quiet) {
      err.println(text);
    }
  }

  private void print(Document document) {
    if (json) {
      out.println(Json.indented(document));
      return;
    }
    Table table =
        new Table(
            "epoch", "loss", "test accuracy", "seconds", "stall", "hits", "store reads per item");
    for (FashionEpoch each : document.epochs()) {
      table.row(
          String.valueOf(each.epoch()),
          String.format(Locale.ROOT, "%.3f", each.trainLoss()),
          percent(each.testAccuracy()),
          String.format(Locale.ROOT, "%.1f", each.seconds()),
          percent(each.stall()),
          percent(each.hitRatio()),
          String.format(Locale.ROOT, "%.3f", each.storeReadsPerItem()));
    }
    table.lines(new Paint(false)).forEach(out::println);
    out.println("every sample exactly once per epoch: " + (document.exactlyOnce() ? "yes" : "NO"));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Prints the version of Quiver that the example was built from. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"train-fashion of quiver " + BuildVersion.number()};
    }
  }

  private record Document(
      int images, long bytes, long cacheBytes, boolean exactlyOnce, List<FashionEpoch> epochs) {
    Document(int images, long bytes, long cacheBytes, FashionRun.Outcome outcome) {
      this(images, bytes, cacheBytes, outcome.exactlyOnce(), outcome.epochs());
    }
  }
}
