package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how unmodified programs read, and what the cache does about it. */
@Command(
    name = "streams",
    description = {
      "Show how programs read through doors, and what follows.",
      "A stream is all that is read below one folder. Each shows its pattern, the policy and the"
          + " quota of its space, the share of reads that hit, the GPUs it saves, how much of what"
          + " was read ahead was wanted, the time without reads after which its bytes are free, and"
          + " why. See docs/streams.md.",
      "Paths are shown to operators, and to the user whose doors read them."
    },
    footer = {
      "  quiver streams",
      "  quiver streams --brief",
      "  quiver streams --json | jq '.streams[] | {label, pattern, quota_bytes}'",
      "",
      "With --json: {\"streams\": [{stream, label, pattern, recognition: {pattern, evidence,",
      "statistic, threshold, records}, space, keeper, quota_bytes, held_bytes, bytes,",
      "planned_bytes, spare_bytes, gpus_saved, activity: {reads_per_second, store_share,",
      "cache_seconds, store_seconds, idle_seconds, lease_seconds, advised, used}, doors, users,",
      "why}…]}"
    })
public final class StreamsCommand extends Action {
  private static final int LONGEST_NAME = 22;
  private static final int LONGEST_LINE = 96;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Option(names = "--brief", description = "Leave out why, and the tests that decided.")
  private boolean brief;

  @Override
  ExitCode run(Output output) throws Exception {
    try (ManagerClient client = manager.client(output.console())) {
      JsonNode answer = client.get("/v1/streams");
      if (output.json()) {
        output.document(answer);
      } else {
        show(answer.path("streams"), output);
      }
    }
    return ExitCode.OK;
  }

  private void show(JsonNode streams, Output output) {
    if (streams.isEmpty()) {
      output.line("nobody reads through a door; quiver mount and quiver gateway open one");
      return;
    }
    List<JsonNode> sorted = new ArrayList<>();
    streams.forEach(sorted::add);
    sorted.sort(
        Comparator.comparingDouble(
            (JsonNode each) -> -each.path("activity").path("reads_per_second").asDouble()));
    Paint paint = output.console().outPaint();
    Table table =
        new Table(
            "stream", "pattern", "policy", "cached", "quota", "hits", "GPUs", "ahead", "lease");
    sorted.forEach(each -> row(table, each));
    table.lines(paint).forEach(output::line);
    if (!brief) {
      sorted.forEach(each -> explain(each, output, paint));
    }
  }

  private static void row(Table table, JsonNode stream) {
    JsonNode activity = stream.path("activity");
    boolean read = activity.path("reads_per_second").asDouble() > 0;
    long advised = activity.path("advised").asLong();
    double lease = activity.path("lease_seconds").asDouble();
    table.row(
        shortened(name(stream)),
        stream.path("pattern").asText().toLowerCase(Locale.ROOT),
        stream.path("keeper").isNull()
            ? "none"
            : stream.path("keeper").asText().toLowerCase(Locale.ROOT),
        ByteSize.show(stream.path("held_bytes").asLong()),
        ByteSize.show(stream.path("quota_bytes").asLong()),
        read ? number("%.0f %%", 100 * (1 - activity.path("store_share").asDouble())) : "-",
        stream.path("gpus_saved").isNumber()
            ? number("%.2f", stream.path("gpus_saved").asDouble())
            : stream.path("quota_bytes").asLong() == 0 ? "-" : "?",
        advised == 0 ? "-" : number("%.0f %%", 100.0 * activity.path("used").asLong() / advised),
        lease == 0 ? "-" : number("%.0f s", lease));
  }

  private static String name(JsonNode stream) {
    String label = stream.path("label").asText();
    return label.isEmpty() ? stream.path("stream").asText() : label;
  }

  /** Returns the end of a path, which tells it from others; the beginning of a hashed name. */
  private static String shortened(String name) {
    if (name.length() <= LONGEST_NAME) {
      return name;
    }
    return name.contains("/")
        ? "…" + name.substring(name.length() - LONGEST_NAME + 1)
        : name.substring(0, LONGEST_NAME - 1) + "…";
  }

  private static void explain(JsonNode stream, Output output, Paint paint) {
    output.line("");
    output.line(paint.name(name(stream)));
    for (String reason : List.of(evidence(stream), reads(stream), stream.path("why").asText())) {
      wrapped(reason).forEach(line -> output.line("  " + paint.faint(line)));
    }
  }

  /** Returns the test that decided the pattern; empty if none has yet. */
  private static String evidence(JsonNode stream) {
    JsonNode test = stream.path("recognition");
    String evidence = test.path("evidence").asText().toLowerCase(Locale.ROOT);
    return evidence.equals("too_few")
        ? ""
        : test.path("pattern").asText().toLowerCase(Locale.ROOT)
            + " by "
            + evidence.replace('_', ' ')
            + number(": %.4g", test.path("statistic").asDouble())
            + number(" against %.4g", test.path("threshold").asDouble())
            + " in "
            + test.path("records").asInt()
            + " reads";
  }

  private static String reads(JsonNode stream) {
    JsonNode activity = stream.path("activity");
    double rate = activity.path("reads_per_second").asDouble();
    long advised = activity.path("advised").asLong();
    return rate == 0 && advised == 0
        ? ""
        : number("%.0f blocks/s of ", rate)
            + ByteSize.show(stream.path("bytes").asLong())
            + number("; a read takes %.2f ms", 1e3 * activity.path("cache_seconds").asDouble())
            + number(" from the cache, %.2f ms", 1e3 * activity.path("store_seconds").asDouble())
            + " from the store"
            + (advised == 0
                ? ""
                : "; of "
                    + advised
                    + " blocks read ahead "
                    + activity.path("used").asLong()
                    + " were wanted");
  }

  /** Returns lines of words, none too long for a terminal of a hundred columns. */
  private static List<String> wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > LONGEST_LINE) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
