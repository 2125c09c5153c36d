package io.quiver.cli.command;

import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.remote.ingest.DigestDiff;
import io.quiver.remote.ingest.DigestDiff.Change;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.report.Paint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two digests. */
@Command(
    name = "diff",
    description = {
      "Compare two digests.",
      "Ends with 0 if they list the same data set and with 1 if they differ."
    },
    footer = {
      "  quiver digest diff monday.qdg tuesday.qdg",
      "  quiver digest diff a.qdg b.qdg --limit 0     # counts only",
      "",
      "Lines begin with + (added), - (removed), ~ (changed) or > (moved).",
      "With --json: {\"same_identity\": bool, \"same_content\": bool, \"unchanged\": n, \"added\": n,",
      "\"removed\": n, \"changed\": n, \"moved\": n, \"changes\": [{change, from, to}…]}"
    })
public final class DigestDiffCommand extends Action {
  @Parameters(index = "0", paramLabel = "<before>", description = "The older digest.")
  private Path before;

  @Parameters(index = "1", paramLabel = "<after>", description = "The newer digest.")
  private Path after;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "Differences to list; all are counted (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  ExitCode run(Output output) throws Exception {
    try (DigestFile older = DigestFile.open(before);
        DigestFile newer = DigestFile.open(after)) {
      List<Line> lines = new ArrayList<>();
      Consumer<Change> keep =
          change -> {
            if (lines.size() < limit) {
              lines.add(Line.of(change));
            }
          };
      DigestDiff.Summary summary = DigestDiff.compare(older.digest(), newer.digest(), keep);
      if (output.json()) {
        output.document(Document.of(summary, lines));
      } else {
        print(summary, lines, output);
      }
      return summary.sameIdentity() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private static void print(DigestDiff.Summary summary, List<Line> lines, Output output) {
    Paint paint = output.console().outPaint();
    lines.forEach(line -> output.line(line.text(paint)));
    long all = summary.added() + summary.removed() + summary.changed() + summary.moved();
    if (all > lines.size()) {
      output.line(String.format(Locale.ROOT, "… and %,d more (--limit)", all - lines.size()));
    }
    output.line(
        String.format(
            Locale.ROOT,
            "%s: %,d unchanged, %,d added, %,d removed, %,d changed, %,d moved",
            verdict(summary),
            summary.unchanged(),
            summary.added(),
            summary.removed(),
            summary.changed(),
            summary.moved()));
  }

  private static String verdict(DigestDiff.Summary summary) {
    if (summary.sameIdentity()) {
      return "the same data set";
    }
    return summary.sameContent() ? "the same items in another order" : "different data sets";
  }

  /** One difference; the place before and after, empty where there is none. */
  private record Line(String change, String from, String to) {
    static Line of(Change change) {
      return switch (change) {
        case Change.Added added -> new Line("added", "", added.location());
        case Change.Removed removed -> new Line("removed", removed.location(), "");
        case Change.Changed changed -> new Line("changed", changed.location(), changed.location());
        case Change.Moved moved -> new Line("moved", moved.from(), moved.to());
      };
    }

    String text(Paint paint) {
      return switch (change) {
        case "added" -> paint.good("+ " + to);
        case "removed" -> paint.bad("- " + from);
        case "changed" -> paint.name("~ " + to);
        default -> "> " + from + " → " + to;
      };
    }
  }

  private record Document(
      boolean sameIdentity,
      boolean sameContent,
      long unchanged,
      long added,
      long removed,
      long changed,
      long moved,
      List<Line> changes) {
    static Document of(DigestDiff.Summary summary, List<Line> lines) {
      return new Document(
          summary.sameIdentity(),
          summary.sameContent(),
          summary.unchanged(),
          summary.added(),
          summary.removed(),
          summary.changed(),
          summary.moved(),
          lines);
    }
  }
}
