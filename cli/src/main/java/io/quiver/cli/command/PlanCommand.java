package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.report.ByteSize;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what the cache holds and why, and what a larger or smaller cache would give. */
@Command(
    name = "plan",
    description = {
      "Show which data is cached and why.",
      "With --what-if, shows what a larger or smaller cache would give each job. See"
          + " docs/planning.md."
    },
    footer = {
      "  quiver plan",
      "  quiver plan --what-if +200GB",
      "  quiver plan --what-if -50GB --json",
      "",
      "With --json: {planner, version, capacity_bytes, datasets: [{dataset, ranked, bytes,",
      "chunks, pinned, rotating, loading, held_bytes, planned_bytes, spare_bytes, gpus_saved,",
      "preference, quota_bytes, jobs, why}…], streams: [{stream, space, keeper, quota_bytes,",
      "held_bytes, bytes, planned_bytes, spare_bytes, gpus_saved, doors, why}…]};",
      "with --what-if {capacity_now, capacity_then,",
      "gpus_saved_now, gpus_saved_then,",
      "datasets: [{dataset, bytes, bytes_now, bytes_then}…], jobs: [{job, dataset, known,",
      "item_seconds_now, item_seconds_then, speedup}…]}"
    })
public final class PlanCommand extends Action {
  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Option(
      names = "--what-if",
      paramLabel = "<size>",
      description =
          "Another cache size to compare: more (+200GB), less (-50GB) or altogether (500GB).")
  private @Nullable String whatIf;

  @Override
  ExitCode run(Output output) throws Exception {
    String path =
        whatIf == null ? "/v1/plan/review" : "/v1/plan/what-if?capacity=" + capacity(whatIf);
    try (ManagerClient client = manager.client(output.console())) {
      JsonNode answer = client.get(path);
      if (output.json()) {
        output.document(answer);
      } else if (whatIf == null) {
        show(answer, output);
      } else {
        showOutlook(answer, output);
      }
    }
    return ExitCode.OK;
  }

  /** The size in bytes, with the sign it came with. */
  private static String capacity(String text) {
    boolean signed = text.startsWith("+") || text.startsWith("-");
    long bytes = ByteSize.parse(signed ? text.substring(1) : text).bytes();
    return (text.startsWith("+") ? "%2B" : text.startsWith("-") ? "-" : "") + bytes;
  }

  private static void show(JsonNode plan, Output output) {
    Paint paint = output.console().outPaint();
    output.line(
        "planner "
            + plan.path("planner").asText().toLowerCase(Locale.ROOT)
            + ", "
            + ByteSize.show(plan.path("capacity_bytes").asLong())
            + " to divide");
    if (plan.path("datasets").isEmpty() && plan.path("streams").isEmpty()) {
      output.line("nothing is cached");
      return;
    }
    if (!plan.path("datasets").isEmpty()) {
      showDatasets(plan, output, paint);
    }
    if (!plan.path("streams").isEmpty()) {
      showStreams(plan, output, paint);
    }
  }

  private static void showDatasets(JsonNode plan, Output output, Paint paint) {
    Table table =
        new Table(
            "data set", "bytes", "cached", "pinned", "rotating", "chunks", "jobs", "GPUs saved");
    for (JsonNode each : plan.path("datasets")) {
      table.row(
          each.path("dataset").asText() + (each.path("ranked").asBoolean() ? " ranked" : ""),
          size(each, "bytes"),
          size(each, "held_bytes"),
          each.path("pinned").asText(),
          each.path("rotating").asText(),
          each.path("chunks").asText(),
          Integer.toString(each.path("jobs").size()),
          each.path("gpus_saved").isNumber() ? number("%.1f", each, "gpus_saved") : "?");
    }
    table.lines(paint).forEach(output::line);
    output.line("");
    for (JsonNode each : plan.path("datasets")) {
      output.line(paint.faint(each.path("dataset").asText() + ": " + each.path("why").asText()));
    }
  }

  /** Shows what unmodified programs have of the cache. */
  private static void showStreams(JsonNode plan, Output output, Paint paint) {
    Table table = new Table("stream", "read", "cached", "at most", "keeper", "doors", "GPUs saved");
    for (JsonNode each : plan.path("streams")) {
      table.row(
          each.path("stream").asText(),
          size(each, "bytes"),
          size(each, "held_bytes"),
          size(each, "quota_bytes"),
          each.path("keeper").isNull()
              ? "none"
              : each.path("keeper").asText().toLowerCase(Locale.ROOT),
          Integer.toString(each.path("doors").size()),
          each.path("gpus_saved").isNumber() ? number("%.1f", each, "gpus_saved") : "?");
    }
    table.lines(paint).forEach(output::line);
    output.line("");
    for (JsonNode each : plan.path("streams")) {
      output.line(paint.faint(each.path("stream").asText() + ": " + each.path("why").asText()));
    }
  }

  private static void showOutlook(JsonNode outlook, Output output) {
    Paint paint = output.console().outPaint();
    output.line(
        "with "
            + size(outlook, "capacity_then")
            + " instead of "
            + size(outlook, "capacity_now")
            + " the cache saves the work of "
            + number("%.1f", outlook, "gpus_saved_then")
            + " GPUs instead of "
            + number("%.1f", outlook, "gpus_saved_now"));
    Table datasets = new Table("data set", "bytes", "share now", "share then");
    for (JsonNode each : outlook.path("datasets")) {
      datasets.row(
          each.path("dataset").asText(),
          size(each, "bytes"),
          size(each, "bytes_now"),
          size(each, "bytes_then"));
    }
    Table jobs = new Table("job", "data set", "faster by");
    for (JsonNode each : outlook.path("jobs")) {
      jobs.row(
          each.path("job").asText(),
          each.path("dataset").asText(),
          each.path("known").asBoolean() ? number("%.2f×", each, "speedup") : "?");
    }
    output.line("");
    datasets.lines(paint).forEach(output::line);
    output.line("");
    jobs.lines(paint).forEach(output::line);
  }

  private static String size(JsonNode node, String field) {
    return ByteSize.show(node.path(field).asLong());
  }

  private static String number(String format, JsonNode node, String field) {
    return String.format(Locale.ROOT, format, node.path(field).asDouble());
  }
}
