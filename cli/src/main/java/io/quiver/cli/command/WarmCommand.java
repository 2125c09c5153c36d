package io.quiver.cli.command;

import io.quiver.cli.cluster.Addresses;
import io.quiver.cli.cluster.ManagerState;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.StoreReads;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.node.job.WarmResult;
import io.quiver.node.job.Warming;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.open.RemoteStores;
import io.quiver.report.ByteSize;
import io.quiver.report.TimeSpan;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a data set into the cache ahead of time. */
@Command(
    name = "warm",
    description =
        "Bring a data set into the cache before jobs need it, or as much of it as the plan allows"
            + " to; then look every item up, and read some back. What it brought in stays until"
            + " somebody needs the bytes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver warm train.qdg",
      "  quiver warm train.qdg --store s3://bucket/train/ --workers 64",
      "  quiver warm train.qdg --verify       # read everything back and hash it",
      "",
      "Ends with 1 when an item that should be in the cache is not.",
      "",
      "With --json: {\"dataset\": hex, \"items\": n, \"bytes\": n, \"chunks\": n,"
          + " \"pinned_chunks\": n,",
      "\"resident_items\": n, \"resident_bytes\": n, \"missing_items\": n, \"read_back\": n,"
          + " \"unreadable\": n,",
      "\"store_reads\": n, \"store_bytes\": n, \"seconds\": n, \"reason\": text, \"as_planned\":"
          + " bool, \"whole\": bool}"
    })
public final class WarmCommand extends Action {
  private static final int MAX_WORKERS = 4096;
  private static final int SAMPLE = 1000;

  @Parameters(paramLabel = "<digest>", description = "The digest of the data set.")
  private Path digestFile;

  @Option(
      names = "--store",
      paramLabel = "<uri>",
      description = "Where its items lie (default: where the digest was made).")
  private @Nullable String store;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      defaultValue = "32",
      description = "Reads from the store at a time (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "64",
      description =
          "The batch of the jobs to come, all ranks together; decides how finely the data set is"
              + " divided (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--verify",
      description = "Read everything back and hash it; otherwise " + SAMPLE + " items.")
  private boolean verify;

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

  /** The command on a console. */
  public WarmCommand(Console console) {
    super(console);
  }

  @Override
  boolean logsLikeWarnings() {
    return true;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new CommandFailure(
          ExitCode.USAGE, "--workers " + workers + " makes no sense; use 1 to " + MAX_WORKERS);
    }
    try (Interruptible _ =
        Interruptible.saying(() -> output.note("interrupted; what was brought in stays"))) {
      return warm(output);
    }
  }

  private ExitCode warm(Output output) throws Exception {
    try (DigestFile opened = DigestFile.open(digestFile)) {
      DatasetDigest digest = opened.digest();
      String place = DataPlace.of(digest, digestFile, store, "name the place with --store");
      ManagerState state =
          ManagerState.of(
              manager.address(output.console()),
              Addresses.credentials(output.console(), manager.trust()));
      try (RemoteStore data = RemoteStores.open(place, remote.config())) {
        WarmResult result = warm(config(digest, data, output), state, output);
        report(result, output);
        return result.isAsPlanned() ? ExitCode.OK : ExitCode.FAILED;
      }
    }
  }

  private LoaderConfig config(DatasetDigest digest, RemoteStore data, Output output) {
    LoaderConfig config =
        LoaderConfig.of("warm-" + ProcessHandle.current().pid(), digest, data)
            .withBatch(batch)
            .withReads(new StoreReads(workers, workers))
            .withManager(manager.address(output.console()));
    return manager.trust().map(config::withTrust).orElse(config);
  }

  private WarmResult warm(LoaderConfig config, ManagerState state, Output output) throws Exception {
    try (WarmDisplay display = new WarmDisplay(output)) {
      int readBack = verify ? Integer.MAX_VALUE : SAMPLE;
      return new Warming(config, state.usableBytes(), readBack, display).run();
    }
  }

  private static void report(WarmResult result, Output output) {
    if (output.json()) {
      output.document(result);
      return;
    }
    output.line(
        String.format(
            Locale.ROOT,
            "%,d of %,d items (%s of %s, %d of %d chunks) are in the cache; %,d read from the store"
                + " in %s (%s/s)",
            result.residentItems(),
            result.items(),
            ByteSize.show(result.residentBytes()),
            ByteSize.show(result.bytes()),
            result.pinnedChunks(),
            result.chunks(),
            result.storeReads(),
            TimeSpan.show(result.seconds()),
            ByteSize.show((long) (result.storeBytes() / Math.max(result.seconds(), 1e-3)))));
    output.line(
        String.format(
            Locale.ROOT,
            "%,d looked up, %,d read back and hashed: %,d missing, %,d unreadable",
            result.residentItems() + result.missingItems(),
            result.readBack(),
            result.missingItems(),
            result.unreadable()));
    if (!result.reason().isEmpty()) {
      output.warning(result.reason());
    }
  }
}
