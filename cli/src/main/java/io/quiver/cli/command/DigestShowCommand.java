package io.quiver.cli.command;

import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestItem;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a digest says. */
@Command(
    name = "show",
    description = {"Show a digest.", "Prints counts, identity, sizes and the first items."},
    footer = {
      "  quiver digest show train.qdg",
      "  quiver digest show train.qdg --items 100 --hashes",
      "  quiver digest show train.qdg --json | jq .items",
      "",
      "With --json: {\"file\", \"items\", \"objects\", \"bytes\", \"largest_bytes\","
          + " \"identity\", \"classes\":",
      "[name…], \"metadata\": {…}, \"sizes\": [{from_bytes, to_bytes, items}…],"
          + " \"first\": [{index, location,",
      "bytes, label, hash}…]}; hashes are cut short without --hashes, label is null"
          + " where there is none."
    })
public final class DigestShowCommand extends Action {
  private static final int MOST_ITEMS = 1_000_000;

  @Parameters(paramLabel = "<digest>", description = "File of the digest.")
  private Path file;

  @Option(
      names = "--items",
      paramLabel = "<n>",
      defaultValue = "5",
      description = "Number of items to show, from the first on (default: ${DEFAULT-VALUE}).")
  private int items;

  @Option(
      names = "--hashes",
      description = "Show whole hashes. Who knows a hash may read the blob.")
  private boolean hashes;

  @Override
  ExitCode run(Output output) throws Exception {
    if (items < 0 || items > MOST_ITEMS) {
      throw new IllegalArgumentException("--items " + items + " is not 0 to " + MOST_ITEMS);
    }
    try (DigestFile opened = DigestFile.open(file)) {
      Document document = document(opened.digest());
      if (output.json()) {
        output.document(document);
      } else {
        print(document, output);
      }
    }
    return ExitCode.OK;
  }

  private Document document(DatasetDigest digest) {
    List<Item> first =
        IntStream.range(0, Math.min(items, digest.itemCount()))
            .mapToObj(index -> item(index, digest.item(index)))
            .toList();
    return new Document(
        file.toString(),
        digest.itemCount(),
        digest.objectCount(),
        digest.totalBytes(),
        digest.largestItem(),
        digest.identity().toHex(),
        digest.classNames(),
        digest.metadata(),
        SizeHistogram.of(digest),
        first);
  }

  private Item item(int index, DigestItem item) {
    return new Item(
        index,
        item.location(),
        item.size(),
        item.label() == DigestItem.NONE ? null : item.label(),
        hashes ? item.hash().toHex() : item.hash().toString());
  }

  private static void print(Document document, Output output) {
    Paint paint = output.console().outPaint();
    output.line(paint.strong(document.file()));
    output.line(String.format(Locale.ROOT, "  items      %,d", document.items()));
    output.line(String.format(Locale.ROOT, "  objects    %,d", document.objects()));
    output.line("  bytes      " + ByteSize.show(document.bytes()));
    output.line("  largest    " + ByteSize.show(document.largestBytes()));
    if (!document.classes().isEmpty()) {
      output.line("  classes    " + classes(document.classes()));
    }
    document
        .metadata()
        .forEach((key, value) -> output.line(String.format(Locale.ROOT, "  %-10s %s", key, value)));
    output.line("  identity   " + document.identity());
    output.line("");
    SizeHistogram.lines(document.sizes(), paint).forEach(output::line);
    output.line("");
    items(document.first()).lines(paint).forEach(output::line);
  }

  private static String classes(List<String> names) {
    String first = String.join(", ", names.stream().limit(5).toList());
    return names.size() + ": " + first + (names.size() > 5 ? ", …" : "");
  }

  private static Table items(List<Item> items) {
    Table table = new Table("item", "bytes", "label", "hash", "place");
    for (Item item : items) {
      table.row(
          Long.toString(item.index()),
          String.format(Locale.ROOT, "%,d", item.bytes()),
          item.label() == null ? "–" : item.label().toString(),
          item.hash(),
          item.location());
    }
    return table;
  }

  private record Item(
      long index, String location, long bytes, @Nullable Integer label, String hash) {}

  private record Document(
      String file,
      long items,
      long objects,
      long bytes,
      long largestBytes,
      String identity,
      List<String> classes,
      Map<String, String> metadata,
      List<SizeHistogram.Bucket> sizes,
      List<Item> first) {}
}
