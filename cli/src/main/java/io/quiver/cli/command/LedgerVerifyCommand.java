package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
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

/** Checks that every epoch of a job was exactly once. */
@Command(
    name = "verify",
    description =
        "Check that in every epoch each item came exactly once. Name the ledgers of all ranks, and of"
            + " all runs if the job was restarted; those of several jobs are told apart by name.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver ledger verify resnet-rank*.qlg",
      "  quiver ledger verify running.qlg --allow-incomplete   # doubled items only",
      "  quiver ledger verify *.qlg --json | jq .exactly_once",
      "",
      "Ends with 5 when an epoch is not exactly once; with --allow-incomplete, only when an item came",
      "twice. Padding, which keeps ranks in step, is counted apart.",
      "",
      "With --json: {\"exactly_once\": bool, \"jobs\": [{\"job\", \"items\", \"ledgers\", \"torn\","
          + " \"epochs\": [{epoch,",
      "batches, delivered, missing, doubled, padded, complete, exactly_once, first_missing: [item…],",
      "first_doubled: [item…]}…]}…]}"
    })
public final class LedgerVerifyCommand extends Action {
  @Parameters(arity = "1..*", paramLabel = "<ledger>", description = "The ledgers' files.")
  private List<Path> files;

  @Option(
      names = "--allow-incomplete",
      description =
          "Accept items that did not come: a job that still runs, or drops its last batch.")
  private boolean allowIncomplete;

  /** The command on a console. */
  public LedgerVerifyCommand(Console console) {
    super(console);
  }

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
    Table table = new Table("epoch", "batches", "delivered", "missing", "doubled", "padded", "");
    report.epochs().forEach(epoch -> table.row(cells(epoch)));
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
      return "exactly once in every epoch";
    }
    return report.atMostOnce() ? "no item came twice, but some are missing" : "NOT exactly once";
  }

  private static String[] cells(EpochReport epoch) {
    return new String[] {
      Integer.toString(epoch.epoch()),
      number(epoch.batches()),
      number(epoch.delivered()),
      number(epoch.missing()),
      number(epoch.doubled()),
      number(epoch.padded()),
      epoch.exactlyOnce() ? "exactly once" : epoch.complete() ? "doubled" : "incomplete"
    };
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
      int delivered,
      int missing,
      int doubled,
      long padded,
      boolean complete,
      boolean exactlyOnce,
      List<Integer> firstMissing,
      List<Integer> firstDoubled) {
    static Epoch of(EpochReport report) {
      return new Epoch(
          report.epoch(),
          report.batches(),
          report.delivered(),
          report.missing(),
          report.doubled(),
          report.padded(),
          report.complete(),
          report.exactlyOnce(),
          report.firstMissing(),
          report.firstDoubled());
    }
  }

  private record Job(String job, int items, int ledgers, int torn, List<Epoch> epochs) {
    static Job of(LedgerReport report) {
      return new Job(
          report.job(),
          report.items(),
          report.ledgers(),
          report.torn(),
          report.epochs().stream().map(Epoch::of).toList());
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
