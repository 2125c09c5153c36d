package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.command.RemoteOptions.DataPlace;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.client.JobNames;
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
    description = {
      "Load a data set into the cache before jobs need it.",
      "Loads as much as the plan allows, then looks up every item and reads some back."
          + " The data stays until another data set needs the bytes."
    },
    footer = {
      "  quiver warm train.qdg",
      "  quiver warm train.qdg --store s3://bucket/train/ --workers 64",
      "  quiver warm train.qdg --verify       # read everything back and hash it",
      "",
      "Ends with 1 when an item that should be in the cache is not.",
      "",
      "With --json: {\"dataset\": hex, \"items\": n, \"bytes\": n, \"chunks\": n,"
          + " \"pinned_chunks\": n,",
      "\"resident_items\": n, \"resident_bytes\": n, \"missing_items\": n,"
          + " \"read_back\": n, \"unreadable\": n,",
      "\"store_reads\": n, \"store_bytes\": n, \"seconds\": n, \"reason\": text,"
          + " \"as_planned\": bool, \"whole\":",
      "bool}"
    })
public final class WarmCommand extends Action {
  private static final int MAX_WORKERS = 4096;
  private static final int SAMPLE = 1000;

  @Parameters(paramLabel = "<digest>", description = "Digest of the data set.")
  private Path digestFile;

  @Option(
      names = "--store",
      paramLabel = "<uri>",
      description = "Store of the items (default: the store the digest was made from).")
  private @Nullable String store;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      defaultValue = "32",
      description = "Concurrent reads from the store (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "64",
      description =
          "Batch size of the jobs to come, all ranks together; it decides how finely the"
              + " data set is divided (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--verify",
      description = "Read everything back and hash it; otherwise " + SAMPLE + " items.")
  private boolean verify;

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

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
        Interruptible.saying(() -> output.note("interrupted; the data that was loaded stays"))) {
      return warm(output);
    }
  }

  private ExitCode warm(Output output) throws Exception {
    try (DigestFile opened = DigestFile.open(digestFile)) {
      DatasetDigest digest = opened.digest();
      String place = DataPlace.of(digest, digestFile, store, "name the place with --store");
      long capacity = capacity(output.console());
      try (RemoteStore data = RemoteStores.open(place, remote.config())) {
        WarmResult result = warm(config(digest, data, output), capacity, output);
        report(result, output);
        return result.isAsPlanned() ? ExitCode.OK : ExitCode.FAILED;
      }
    }
  }

  /** Returns the bytes that the servers offer together; fails if no manager answers. */
  private long capacity(Console console) throws CommandFailure, InterruptedException {
    try (ManagerClient client = manager.client(console)) {
      long bytes = 0;
      for (JsonNode server : client.get("/v1/cluster").path("servers")) {
        bytes += server.path("usable_bytes").asLong();
      }
      return bytes;
    }
  }

  private LoaderConfig config(DatasetDigest digest, RemoteStore data, Output output)
      throws CommandFailure {
    LoaderConfig config =
        LoaderConfig.of(JobNames.unique("warm"), digest, data)
            .withBatch(batch)
            .withReads(new StoreReads(workers, workers));
    return manager.apply(config, output.console());
  }

  private WarmResult warm(LoaderConfig config, long capacity, Output output) throws Exception {
    try (WarmDisplay display = new WarmDisplay(output)) {
      int readBack = verify ? Integer.MAX_VALUE : SAMPLE;
      return new Warming(config, capacity, readBack, display).run();
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
