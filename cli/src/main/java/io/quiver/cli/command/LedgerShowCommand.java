package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.ledger.LedgerBatch;
import io.quiver.core.ledger.LedgerFormatException;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a ledger says. */
@Command(
    name = "show",
    description = {
      "Show a ledger.",
      "Prints the job, the number of batches and the first of them."
    },
    footer = {
      "  quiver ledger show resnet-rank0.qlg",
      "  quiver ledger show resnet-rank0.qlg --batches 100 --epoch 3",
      "  quiver ledger show resnet-rank0.qlg --batches 1000000 --json | jq .first[].items",
      "",
      "With --json: {\"file\", \"job\", \"dataset\", \"items\", \"seed\", \"sampler\","
          + " \"kind\", \"rank\", \"ranks\",",
      "\"batches\", \"delivered\", \"padded\", \"torn_at\", \"first\": [{epoch, step,"
          + " items: [item…], padding}…]};",
      "torn_at is null for a ledger with a sound end; padding says how many of the"
          + " last items of a batch",
      "are padding; kind is epoch, or list for a job that reads known lists, whose"
          + " sampler is list."
    })
public final class LedgerShowCommand extends Action {
  private static final int MOST_BATCHES = 1_000_000;
  private static final int ITEMS_ON_A_LINE = 10;

  @Parameters(paramLabel = "<ledger>", description = "File of the ledger.")
  private Path file;

  @Option(
      names = "--batches",
      paramLabel = "<n>",
      defaultValue = "5",
      description = "Number of batches to show, from the first on (default: ${DEFAULT-VALUE}).")
  private int batches;

  @Option(
      names = "--epoch",
      paramLabel = "<n>",
      description = "Count and show the batches of this epoch only (default: all).")
  private @Nullable Integer epoch;

  @Override
  ExitCode run(Output output) throws Exception {
    if (batches < 0 || batches > MOST_BATCHES) {
      throw new IllegalArgumentException("--batches " + batches + " is not 0 to " + MOST_BATCHES);
    }
    try (LedgerReader reader = OpenLedgers.open(file)) {
      Document document = document(reader);
      if (output.json()) {
        output.document(document);
      } else {
        print(document, output);
      }
    } catch (LedgerFormatException e) {
      throw new CommandFailure(ExitCode.FAILED, file + ", " + e.getMessage(), e);
    }
    return ExitCode.OK;
  }

  private Document document(LedgerReader reader) throws Exception {
    List<Batch> first = new ArrayList<>();
    long count = 0;
    long delivered = 0;
    long padded = 0;
    Optional<LedgerBatch> next = reader.next();
    while (next.isPresent()) {
      LedgerBatch batch = next.get();
      if (epoch == null || epoch == batch.epoch()) {
        count++;
        delivered += batch.size() - batch.padding();
        padded += batch.padding();
        if (first.size() < batches) {
          first.add(Batch.of(batch));
        }
      }
      next = reader.next();
    }
    Long tornAt = reader.tornAt().isPresent() ? reader.tornAt().getAsLong() : null;
    return Document.of(file.toString(), reader.header(), count, delivered, padded, tornAt, first);
  }

  private static void print(Document document, Output output) {
    Paint paint = output.console().outPaint();
    output.line(paint.strong(document.file()));
    output.line("  job         " + document.job());
    output.line("  data set    " + document.dataset() + "…");
    output.line(String.format(Locale.ROOT, "  items       %,d", document.items()));
    output.line("  seed        " + document.seed());
    output.line("  sampler     " + document.sampler());
    output.line("  proves      " + (document.kind().equals("list") ? "lists" : "whole epochs"));
    output.line("  rank        " + document.rank() + " of " + document.ranks());
    output.line(String.format(Locale.ROOT, "  batches     %,d", document.batches()));
    output.line(String.format(Locale.ROOT, "  delivered   %,d", document.delivered()));
    output.line(String.format(Locale.ROOT, "  padded      %,d", document.padded()));
    if (document.tornAt() != null) {
      output.warning("the last batch, at byte " + document.tornAt() + ", is not whole");
    }
    output.line("");
    Table table = new Table("epoch", "step", "size", "padding", "items");
    document.first().forEach(batch -> table.row(cells(batch)));
    table.lines(paint).forEach(output::line);
  }

  private static String[] cells(Batch batch) {
    String items =
        batch.items().stream()
            .limit(ITEMS_ON_A_LINE)
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    return new String[] {
      Integer.toString(batch.epoch()),
      Long.toString(batch.step()),
      Integer.toString(batch.items().size()),
      Integer.toString(batch.padding()),
      items + (batch.items().size() > ITEMS_ON_A_LINE ? " …" : "")
    };
  }

  private record Batch(int epoch, long step, List<Integer> items, int padding) {
    static Batch of(LedgerBatch batch) {
      List<Integer> items = Arrays.stream(batch.items()).boxed().toList();
      return new Batch(batch.epoch(), batch.step(), items, batch.padding());
    }
  }

  private record Document(
      String file,
      String job,
      String dataset,
      int items,
      long seed,
      String sampler,
      String kind,
      int rank,
      int ranks,
      long batches,
      long delivered,
      long padded,
      @Nullable Long tornAt,
      List<Batch> first) {
    static Document of(
        String file,
        LedgerHeader header,
        long batches,
        long delivered,
        long padded,
        @Nullable Long tornAt,
        List<Batch> first) {
      return new Document(
          file,
          header.job(),
          header.dataset(),
          header.items(),
          header.seed(),
          header.order().text(),
          header.order().kind(),
          header.rank(),
          header.ranks(),
          batches,
          delivered,
          padded,
          tornAt,
          first);
    }
  }
}
