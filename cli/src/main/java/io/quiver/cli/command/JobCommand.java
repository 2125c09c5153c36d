package io.quiver.cli.command;

import io.quiver.cli.command.RemoteOptions.DataPlace;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.client.JobNames;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.EpochState;
import io.quiver.core.plan.Caching;
import io.quiver.node.NodeException;
import io.quiver.node.job.JobDocument;
import io.quiver.node.job.JobStart;
import io.quiver.node.job.JobSummary;
import io.quiver.node.job.TrainingJob;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.open.RemoteStores;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a training job without a GPU. */
@Command(
    name = "job",
    description = {
      "Run a training job without a GPU.",
      "Reads every item once per epoch in random order, from the cache where it can and"
          + " else from the store, and waits for as long as a GPU would work on each batch."
          + " Its ledger is verified after every epoch."
    },
    footer = {
      "  quiver job --digest train.qdg --epochs 2 --compute-ms 100",
      "  quiver job --digest train.qdg --store s3://bucket/train/ --batch 256 --ranks"
          + " 4 --uneven pad",
      "  quiver job --digest train.qdg --no-cache               # what the store alone can do",
      "  quiver job --digest train.qdg --epochs 90 --name resnet --ledger resnet.qlg",
      "  quiver job --digest train.qdg --epochs 90 --ledger resnet.qlg --resume --ranks 2",
      "  quiver ledger verify resnet.qlg*",
      "",
      "Any number of jobs may run at a time; those of one data set read it from the"
          + " store together.",
      "Ctrl-C ends a job at once (status 130); with --ledger, --resume goes on where"
          + " it stopped, also",
      "after kill -9 and with another number of ranks. Ends with 5 when an epoch was"
          + " not exactly once.",
      "",
      "With --json: {\"job\": name, \"dataset\": hex, \"items\": n, \"bytes\": n,"
          + " \"batch\": n, \"ranks\": n,",
      "\"sampler\": name, \"seed\": n, \"cache\": bool, \"ledger\": name, \"seconds\":"
          + " n, \"samples\": n,",
      "\"samples_per_second\": n, \"hit_ratio\": n, \"stall\": n, \"store_reads\": n,"
          + " \"store_bytes\": n,",
      "\"duplicates\": n, \"changed_items\": n, \"wrong_items\": n, \"exactly_once\":"
          + " bool, \"epochs\": [{epoch,",
      "seconds, samples, samples_per_second, hit_ratio, stall, store_reads,"
          + " store_bytes, duplicates,",
      "changed_items, missing, doubled, padded, exactly_once}…]}; hit_ratio and stall"
          + " are shares from 0",
      "to 1, epochs count from 0."
    })
public final class JobCommand extends Action {
  @Option(
      names = "--digest",
      required = true,
      paramLabel = "<file>",
      description = "Digest of the data set.")
  private Path digestFile;

  @Option(
      names = "--store",
      paramLabel = "<uri>",
      description = "Store of the items (default: the store the digest was made from).")
  private @Nullable String store;

  @Mixin private final JobChoice choice = new JobChoice();

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Option(names = "--no-cache", description = "Read everything from the store.")
  private boolean noCache;

  @Option(
      names = "--ledger",
      paramLabel = "<file>",
      description =
          "File of the ledger, which is kept; further ranks and runs add files whose names"
              + " begin with it.")
  private @Nullable Path ledger;

  @Option(
      names = "--resume",
      description = "Continue where the ledger ends; without a ledger, begin.")
  private boolean resume;

  @Mixin private final SlowStoreOptions slow = new SlowStoreOptions();

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

  @Override
  boolean logsLikeWarnings() {
    return true;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    if (resume && ledger == null) {
      throw new CommandFailure(
          ExitCode.USAGE, "--resume continues where a ledger ends; name the ledger with --ledger");
    }
    Duration compute = choice.compute();
    try (Interruptible _ = Interruptible.saying(() -> sayGoodbye(output))) {
      return run(compute, output);
    }
  }

  private ExitCode run(Duration compute, Output output) throws Exception {
    try (DigestFile opened = DigestFile.open(digestFile);
        RemoteStore data = open(opened.digest());
        JobStart start = start(opened.digest(), data, output)) {
      announce(start, output);
      JobSummary summary = train(start, compute, output);
      if (output.json()) {
        output.document(JobDocument.of(summary));
      } else {
        tell(summary, output);
      }
      return exit(summary, output);
    }
  }

  private RemoteStore open(DatasetDigest digest) throws CommandFailure, IOException {
    String place = DataPlace.of(digest, digestFile, store, "name the place with --store");
    return slow.slowed(RemoteStores.open(place, remote.config()));
  }

  private JobStart start(DatasetDigest digest, RemoteStore data, Output output)
      throws CommandFailure, NodeException, IOException {
    String name = choice.name().orElseGet(() -> JobNames.unique("job"));
    LoaderConfig plain = choice.apply(LoaderConfig.of(name, digest, data));
    LoaderConfig config =
        noCache ? plain.withCaching(Caching.NONE) : manager.apply(plain, output.console());
    if (ledger == null) {
      return JobStart.withoutLedger(config);
    }
    return resume
        ? JobStart.resumed(config, ledger, choice.name(), choice.seed())
        : JobStart.anew(config, ledger);
  }

  private static void announce(JobStart start, Output output) {
    LoaderConfig config = start.config();
    List<String> managers = config.managers().stream().map(URI::toString).toList();
    output.note(
        String.format(
            Locale.ROOT,
            "job %s: %,d items (%s) of %s, cache: %s",
            start.name(),
            config.digest().itemCount(),
            ByteSize.show(config.digest().totalBytes()),
            config.store().uri(),
            managers.isEmpty() ? "none" : String.join(", ", managers)));
    start.resume().filter(_ -> !start.isDone()).ifPresent(state -> output.note(goingOn(state)));
  }

  private static String goingOn(EpochState state) {
    return String.format(
        Locale.ROOT,
        "continues in epoch %d after %,d of %,d items",
        state.epoch() + 1,
        state.deliveredItems(),
        state.items());
  }

  private static JobSummary train(JobStart start, Duration compute, Output output)
      throws IOException, InterruptedException {
    try (JobDisplay display = new JobDisplay(output, start.config().epochs())) {
      return new TrainingJob(start, compute, display).run();
    }
  }

  private void sayGoodbye(Output output) {
    output.note(
        ledger == null
            ? "interrupted; a job with --ledger can be resumed"
            : "interrupted; the same command with --resume continues where this one stopped");
  }

  private static void tell(JobSummary summary, Output output) {
    Paint paint = output.console().outPaint();
    if (summary.epochs().isEmpty()) {
      output.line("all " + summary.config().epochs() + " epochs were done before");
      return;
    }
    JobTable.of(summary).lines(paint).forEach(output::line);
    summary.ledger().ifPresent(file -> output.line("ledger   " + paint.name(file + "*")));
  }

  private static ExitCode exit(JobSummary summary, Output output) {
    if (summary.wrongItems() > 0) {
      output.warning(
          summary.wrongItems() + " items from the cache had wrong bytes; please report this");
      return ExitCode.FAILED;
    }
    if (!summary.exactlyOnce()) {
      output.warning("items were lost or came twice; quiver ledger verify says which");
      return ExitCode.NOT_EXACTLY_ONCE;
    }
    return ExitCode.OK;
  }
}
