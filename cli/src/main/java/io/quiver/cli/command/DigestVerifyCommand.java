package io.quiver.cli.command;

import io.quiver.cli.command.RemoteOptions.DataPlace;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.DigestVerifier;
import io.quiver.remote.open.RemoteStores;
import io.quiver.report.ByteSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a digest, and the data set against it. */
@Command(
    name = "verify",
    description = {
      "Compare a digest with the data in the store.",
      "Checks the file of the digest first, then reads the items again."
    },
    footer = {
      "  quiver digest verify train.qdg                  # where the digest says the data is",
      "  quiver digest verify train.qdg /mnt/copy/train  # a copy of it",
      "  quiver digest verify train.qdg --sample 1000",
      "  quiver digest verify train.qdg --file-only",
      "",
      "With --json: {\"clean\": bool, \"items_checked\": n, \"bytes_checked\": n, \"changed\": n,"
          + " \"missing\": n,",
      "\"unreadable\": n, \"findings\": [{item, location, problem, detail}…]}"
    })
public final class DigestVerifyCommand extends Action {
  private static final int KEPT_FINDINGS = 100;

  @Parameters(index = "0", paramLabel = "<digest>", description = "File of the digest.")
  private Path file;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "<uri>",
      description = "Store of the data (default: the store the digest was made from).")
  private @Nullable String uri;

  @Option(names = "--file-only", description = "Check the file alone; do not read the data.")
  private boolean fileOnly;

  @Option(
      names = "--sample",
      paramLabel = "<n>",
      description = "Number of items to check, spread over the data set (default: all).")
  private @Nullable Integer sample;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Seed of the sample (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Concurrent reads (default: a number that suits the store).")
  private int workers;

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    try (DigestFile opened = DigestFile.open(file)) {
      opened.verify();
      output.note(file + " is whole");
      DigestVerifier.Report report =
          fileOnly
              ? new DigestVerifier.Report(0, 0, 0, 0, 0, List.of())
              : verify(opened.digest(), output);
      if (output.json()) {
        output.document(Document.of(report));
      } else if (!fileOnly) {
        print(report, output);
      }
      return report.clean() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private DigestVerifier.Report verify(DatasetDigest digest, Output output) throws Exception {
    DigestVerifier.Options options =
        new DigestVerifier.Options(
            sample == null ? OptionalInt.empty() : OptionalInt.of(sample),
            seed,
            workers,
            KEPT_FINDINGS);
    String place = DataPlace.of(digest, file, uri, "name the place, or use --file-only");
    DigestProgress counts = new DigestProgress();
    try (RemoteStore store = RemoteStores.open(place, remote.config());
        DigestProgressDisplay _ = DigestProgressDisplay.of("verifying", counts, output)) {
      return DigestVerifier.verify(digest, store, options, counts);
    }
  }

  private static void print(DigestVerifier.Report report, Output output) {
    for (DigestVerifier.Finding finding : report.findings()) {
      output.line(
          String.format(
              Locale.ROOT,
              "%-10s item %d, %s: %s",
              finding.problem().name().toLowerCase(Locale.ROOT),
              finding.item(),
              finding.location(),
              finding.detail()));
    }
    output.line(
        String.format(
            Locale.ROOT,
            "%,d items (%s) checked: %,d changed, %,d missing, %,d unreadable",
            report.itemsChecked(),
            ByteSize.show(report.bytesChecked()),
            report.changed(),
            report.missing(),
            report.unreadable()));
  }

  private record Document(
      boolean clean,
      long itemsChecked,
      long bytesChecked,
      long changed,
      long missing,
      long unreadable,
      List<DigestVerifier.Finding> findings) {
    static Document of(DigestVerifier.Report report) {
      return new Document(
          report.clean(),
          report.itemsChecked(),
          report.bytesChecked(),
          report.changed(),
          report.missing(),
          report.unreadable(),
          report.findings());
    }
  }
}
