package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.report.Paint;
import io.quiver.report.Table;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the jobs and what the cache does for them. */
@Command(
    name = "jobs",
    description =
        "Show the jobs that run, what the cache does for each, and how that is known. b is how many"
            + " times as fast a job is with everything cached; jobs below 1.05 gain nothing and get"
            + " only bytes that nobody else can use. See docs/planning.md.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  quiver jobs",
      "  quiver jobs --json | jq '.[] | select(.verdict == \"GAINS_NOTHING\") | .job'",
      "",
      "With --json: [{job, user, gpus, dataset, benefit, gpus_saved, stall, hit, shared, miss,",
      "work_seconds, probing, verdict, evidence}…]; hit, shared and miss are {seconds, batches,",
      "age_seconds}: the time of an item, by how many batches, how long ago."
    })
public final class JobsCommand extends Action {
  @Mixin private final ManagerOptions manager = new ManagerOptions();

  /** The command on a console. */
  public JobsCommand(Console console) {
    super(console);
  }

  @Override
  ExitCode run(Output output) throws Exception {
    try (ManagerClient client = manager.client(output.console())) {
      JsonNode diagnoses = client.get("/v1/jobs").path("diagnoses");
      if (output.json()) {
        output.document(diagnoses);
      } else {
        show(diagnoses, output);
      }
    }
    return ExitCode.OK;
  }

  private static void show(JsonNode diagnoses, Output output) {
    if (diagnoses.isEmpty()) {
      output.line("no jobs");
      return;
    }
    Paint paint = output.console().outPaint();
    Table table = new Table("job", "user", "data set", "n", "b", "stall", "verdict");
    for (JsonNode each : diagnoses) {
      table.row(
          each.path("job").asText(),
          each.path("user").asText(),
          each.path("dataset").asText(),
          each.path("gpus").asText(),
          each.path("benefit").isNumber() ? number("%.2f", each.path("benefit")) : "?",
          number("%.0f %%", 100 * each.path("stall").asDouble()),
          verdict(each));
    }
    table.lines(paint).forEach(output::line);
    output.line("");
    for (JsonNode each : diagnoses) {
      output.line(paint.faint(each.path("job").asText() + ": " + each.path("evidence").asText()));
    }
  }

  private static String verdict(JsonNode standing) {
    String word = standing.path("verdict").asText().toLowerCase(Locale.ROOT).replace('_', ' ');
    return standing.path("probing").asBoolean() ? word + ", probing" : word;
  }

  private static String number(String format, JsonNode number) {
    return number(format, number.asDouble());
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
