package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.ledger.EpochReport;
import io.quiver.core.ledger.LedgerFormatException;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.core.ledger.LedgerVerifier;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks that a job delivered what its order promised. */
@Command(
    name = "verify",
    description = {
      "Verify that every epoch delivered each item exactly once.",
      "Name the ledgers of all ranks, and of all runs if the job was restarted; several"
          + " jobs are told apart by name. For a job that reads known lists, each entry of the"
          + " list counts."
    },
    footer = {
      "  quiver ledger verify resnet-rank*.qlg",
      "  quiver ledger verify running.qlg --allow-incomplete   # doubled items only",
      "  quiver ledger verify *.qlg --json | jq .exactly_once",
      "",
      "Ends with 5 when an epoch is not exactly once; with --allow-incomplete, only"
          + " when an item came",
      "twice. Padding, which keeps ranks in step, is counted apart.",
      "",
      "With --json: {\"exactly_once\": bool, \"jobs\": [{\"job\", \"items\", \"kind\","
          + " \"ledgers\", \"torn\", \"epochs\":",
      "[{epoch, batches, expected, delivered, missing, doubled, padded, coverage,"
          + " complete, exactly_once,",
      "first_missing: [item…], first_doubled: [item…]}…]}…]}. kind is epoch or list;"
          + " of a list, expected,",
      "delivered and missing count entries, and coverage is the share of different items."
    })
public final class LedgerVerifyCommand extends Action {
  @Parameters(arity = "1..*", paramLabel = "<ledger>", description = "Files of the ledgers.")
  private List<Path> files;

  @Option(
      names = "--allow-incomplete",
      description = "Accept missing items, of a job that still runs or drops its last batch.")
  private boolean allowIncomplete;

  @Override
  ExitCode run(Output output) throws Exception {
    List<LedgerReport> reports = new ArrayList<>();
    try (OpenLedgers ledgers = OpenLedgers.of(files)) {
      for (List<LedgerReader> job : ledgers.byJob().values()) {
        reports.add(verify(job));
      }
    }
    if (output.json()) {
      output.document(Document.of(reports));
    } else {
      reports.forEach(report -> print(report, output));
    }
    return reports.stream().allMatch(this::accepted) ? ExitCode.OK : ExitCode.NOT_EXACTLY_ONCE;
  }

  private static LedgerReport verify(List<LedgerReader> job) throws IOException, CommandFailure {
    String name = job.getFirst().header().job();
    try {
      return LedgerVerifier.verify(job);
    } catch (LedgerFormatException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "a ledger of job " + name + ", " + e.getMessage(), e);
    }
  }

  private boolean accepted(LedgerReport report) {
    return allowIncomplete ? report.atMostOnce() : report.exactlyOnce();
  }

  private void print(LedgerReport report, Output output) {
    Paint paint = output.console().outPaint();
    output.line(
        paint.strong(report.job())
            + String.format(
                Locale.ROOT, ": %,d items, ledgers: %d", report.items(), report.ledgers()));
    boolean lists = report.kind().equals("list");
    Table table =
        lists
            ? new Table(
                "epoch", "batches", "delivered", "missing", "doubled", "padded", "coverage", "")
            : new Table("epoch", "batches", "delivered", "missing", "doubled", "padded", "");
    report.epochs().forEach(epoch -> table.row(cells(epoch, report.items(), lists)));
    table.lines(paint).forEach(line -> output.line("  " + line));
    report.epochs().forEach(epoch -> examples(epoch, output));
    if (report.torn() > 0) {
      output.warning(
          report.torn()
              + " of the ledgers of "
              + report.job()
              + " end in a batch that is not whole");
    }
    String verdict = verdict(report);
    output.line("  " + (accepted(report) ? paint.good(verdict) : paint.bad(verdict)));
  }

  private static String verdict(LedgerReport report) {
    if (report.epochs().isEmpty()) {
      return "no batch was delivered";
    }
    if (report.exactlyOnce()) {
      return report.kind().equals("list")
          ? "exactly the list in every epoch"
          : "exactly once in every epoch";
    }
    if (report.kind().equals("list")) {
      return report.atMostOnce()
          ? "nothing came that the lists do not have, but some entries are missing"
          : "NOT the list";
    }
    return report.atMostOnce() ? "no item came twice, but some are missing" : "NOT exactly once";
  }

  private static String[] cells(EpochReport epoch, int items, boolean lists) {
    String right = lists ? "as listed" : "exactly once";
    List<String> cells =
        new ArrayList<>(
            List.of(
                Integer.toString(epoch.epoch()),
                number(epoch.batches()),
                number(epoch.delivered()),
                number(epoch.missing()),
                number(epoch.doubled()),
                number(epoch.padded())));
    if (lists) {
      cells.add(String.format(Locale.ROOT, "%.1f %%", 100 * epoch.coverage(items)));
    }
    cells.add(epoch.exactlyOnce() ? right : epoch.complete() ? "doubled" : "incomplete");
    return cells.toArray(new String[0]);
  }

  private static void examples(EpochReport epoch, Output output) {
    example(epoch.epoch(), "missing", epoch.missing(), epoch.firstMissing(), output);
    example(epoch.epoch(), "doubled", epoch.doubled(), epoch.firstDoubled(), output);
  }

  private static void example(
      int epoch, String what, int count, List<Integer> items, Output output) {
    if (count > 0) {
      String named = items.stream().map(String::valueOf).collect(Collectors.joining(", "));
      String more = count > items.size() ? ", …" : "";
      output.line("  epoch " + epoch + ", " + what + ": items " + named + more);
    }
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private record Epoch(
      int epoch,
      long batches,
      int expected,
      int delivered,
      int missing,
      int doubled,
      long padded,
      double coverage,
      boolean complete,
      boolean exactlyOnce,
      List<Integer> firstMissing,
      List<Integer> firstDoubled) {
    static Epoch of(EpochReport report, int items) {
      return new Epoch(
          report.epoch(),
          report.batches(),
          report.expected(),
          report.delivered(),
          report.missing(),
          report.doubled(),
          report.padded(),
          report.coverage(items),
          report.complete(),
          report.exactlyOnce(),
          report.firstMissing(),
          report.firstDoubled());
    }
  }

  private record Job(
      String job, int items, String kind, int ledgers, int torn, List<Epoch> epochs) {
    static Job of(LedgerReport report) {
      return new Job(
          report.job(),
          report.items(),
          report.kind(),
          report.ledgers(),
          report.torn(),
          report.epochs().stream().map(epoch -> Epoch.of(epoch, report.items())).toList());
    }
  }

  private record Document(boolean exactlyOnce, List<Job> jobs) {
    static Document of(List<LedgerReport> reports) {
      return new Document(
          reports.stream().allMatch(LedgerReport::exactlyOnce),
          reports.stream().map(Job::of).toList());
    }
  }
}
