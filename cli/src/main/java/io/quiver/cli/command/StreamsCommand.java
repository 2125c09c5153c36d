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
      "Show how programs read through doors, and what is cached of it.",
      "A stream is all that is read below one folder. Each line shows its pattern, what the cache"
          + " gives it and how much of what was read ahead was wanted. See docs/streams.md.",
      "Paths are shown to operators, and to the user whose doors read them."
    },
    footer = {
      "  quiver streams",
      "  quiver streams --why",
      "  quiver streams --json | jq '.streams[] | {label, pattern, quota_bytes}'",
      "",
      "With --json: {\"streams\": [{stream, label, pattern, recognition: {pattern, evidence,",
      "statistic, threshold, records}, space, keeper, quota_bytes, held_bytes, bytes,",
      "planned_bytes, spare_bytes, gpus_saved, activity: {reads_per_second, store_share,",
      "cache_seconds, store_seconds, idle_seconds, lease_seconds, advised, used}, doors, users,",
      "why}…]}"
    })
public final class StreamsCommand extends Action {
  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Option(
      names = "--why",
      description = "Also show the test that decided each pattern, and why it has its bytes.")
  private boolean why;

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
            "stream",
            "pattern",
            "reads/s",
            "hits",
            "size",
            "cached",
            "at most",
            "keeper",
            "GPUs saved",
            "read ahead",
            "lease");
    sorted.forEach(each -> row(table, each));
    table.lines(paint).forEach(output::line);
    if (why) {
      output.line("");
      sorted.forEach(each -> output.line(paint.faint(name(each) + ": " + reason(each))));
    }
  }

  private static void row(Table table, JsonNode stream) {
    JsonNode activity = stream.path("activity");
    boolean read = activity.path("reads_per_second").asDouble() > 0;
    long advised = activity.path("advised").asLong();
    double lease = activity.path("lease_seconds").asDouble();
    table.row(
        name(stream),
        stream.path("pattern").asText().toLowerCase(Locale.ROOT),
        read ? number("%.0f", activity.path("reads_per_second").asDouble()) : "-",
        read ? number("%.0f %%", 100 * (1 - activity.path("store_share").asDouble())) : "-",
        ByteSize.show(stream.path("bytes").asLong()),
        ByteSize.show(stream.path("held_bytes").asLong()),
        ByteSize.show(stream.path("quota_bytes").asLong()),
        stream.path("keeper").isNull()
            ? "none"
            : stream.path("keeper").asText().toLowerCase(Locale.ROOT),
        stream.path("gpus_saved").isNumber()
            ? number("%.2f", stream.path("gpus_saved").asDouble())
            : "?",
        advised == 0
            ? "-"
            : number("%.0f %%", 100.0 * activity.path("used").asLong() / advised)
                + " of "
                + advised,
        lease == 0 ? "-" : number("%.0f s", lease));
  }

  private static String name(JsonNode stream) {
    String label = stream.path("label").asText();
    return label.isEmpty() ? stream.path("stream").asText() : label;
  }

  private static String reason(JsonNode stream) {
    JsonNode test = stream.path("recognition");
    String evidence = test.path("evidence").asText().toLowerCase(Locale.ROOT);
    String decided =
        evidence.equals("too_few")
            ? ""
            : "by "
                + evidence.replace('_', ' ')
                + number(" (%.4g", test.path("statistic").asDouble())
                + number(" against %.4g", test.path("threshold").asDouble())
                + " in "
                + test.path("records").asInt()
                + " reads); ";
    return decided + stream.path("why").asText();
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
