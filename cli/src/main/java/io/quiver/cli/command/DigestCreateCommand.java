package io.quiver.cli.command;

import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestReport;
import io.quiver.remote.open.RemoteStores;
import io.quiver.report.ByteSize;
import io.quiver.report.TimeSpan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a digest of a data set. */
@Command(
    name = "create",
    description = {
      "Create the digest of a data set.",
      "Reads every object and records the hash, size and place of each item. When it was"
          + " interrupted, the same command continues."
    },
    footer = {
      "  quiver digest create /data/imagenet/train -o train.qdg",
      "  quiver digest create s3://bucket/shards/ --kind tar -o shards.qdg",
      "  quiver digest create cifar-10/data_batch_1.bin --kind records --record-bytes"
          + " 3073 --record-label 0 -o cifar.qdg",
      "  quiver digest create https://host/list.txt -o web.qdg      # a list of URLs",
      "",
      "With --json: {\"file\": name, \"items\": n, \"objects\": n, \"bytes\": n,"
          + " \"identity\": hex,",
      "\"reused_objects\": n, \"empty_items_skipped\": n, \"unreadable_objects\": n,"
          + " \"complaints\": [text…],",
      "\"seconds\": n}"
    })
public final class DigestCreateCommand extends Action {
  @Parameters(
      paramLabel = "<uri>",
      description =
          "A folder or file, s3://bucket/prefix, az://container/prefix, or the http(s) address of a"
              + " list of URLs.")
  private String uri;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "<file>",
      description = "File of the digest, by custom *.qdg.")
  private Path target;

  @Mixin private final IngestChoice choice = new IngestChoice();

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    DigestProgress counts = new DigestProgress();
    long start = System.nanoTime();
    Thread hint = new Thread(() -> sayHowToGoOn(output), "hint");
    IngestReport report;
    Runtime.getRuntime().addShutdownHook(hint);
    try (RemoteStore store = RemoteStores.open(uri, remote.config());
        DigestProgressDisplay _ = DigestProgressDisplay.of("digesting", counts, output)) {
      report = DigestBuilder.build(store, target, choice.options(), counts);
    } finally {
      removeHook(hint);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (output.json()) {
      output.document(Document.of(target, report, seconds));
    } else {
      summarise(report, seconds, output);
    }
    return ExitCode.OK;
  }

  private static void removeHook(Thread hint) {
    try {
      Runtime.getRuntime().removeShutdownHook(hint);
    } catch (IllegalStateException e) {
      // The process is ending: the hint is being said.
      Thread.currentThread().interrupt();
    }
  }

  private void sayHowToGoOn(Output output) {
    if (Files.exists(target.resolveSibling(target.getFileName() + ".partial"))) {
      output.note("\ninterrupted; the same command continues where this one stopped");
    }
  }

  private void summarise(IngestReport report, double seconds, Output output) {
    report.complaints().forEach(output::warning);
    output.line(
        String.format(
            Locale.ROOT,
            "%s: %,d items in %,d objects, %s, in %s (%s/s)",
            target,
            report.items(),
            report.objects(),
            ByteSize.show(report.bytes()),
            seconds < 10 ? String.format(Locale.ROOT, "%.1f s", seconds) : TimeSpan.show(seconds),
            ByteSize.show((long) (report.bytes() / Math.max(seconds, 1e-3)))));
    output.line("identity " + report.identity().toHex());
    if (report.reusedObjects() > 0) {
      output.line(
          String.format(
              Locale.ROOT, "%,d objects were done by an earlier run", report.reusedObjects()));
    }
    if (report.emptyItemsSkipped() + report.unreadableObjects() > 0) {
      output.line(
          String.format(
              Locale.ROOT,
              "left out: %,d empty items, %,d unreadable objects",
              report.emptyItemsSkipped(),
              report.unreadableObjects()));
    }
  }

  private record Document(
      String file,
      long items,
      long objects,
      long bytes,
      String identity,
      long reusedObjects,
      long emptyItemsSkipped,
      long unreadableObjects,
      List<String> complaints,
      double seconds) {
    static Document of(Path file, IngestReport report, double seconds) {
      return new Document(
          file.toString(),
          report.items(),
          report.objects(),
          report.bytes(),
          report.identity().toHex(),
          report.reusedObjects(),
          report.emptyItemsSkipped(),
          report.unreadableObjects(),
          report.complaints(),
          Math.round(seconds * 1000) / 1000.0);
    }
  }
}
