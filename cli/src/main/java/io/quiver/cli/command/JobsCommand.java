package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
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
    description = {
      "Show the running jobs and what the cache does for each.",
      "The benefit b is the time per item from the store divided by the time from the"
          + " cache. Jobs below 1.05 gain nothing and get only bytes that no other job can"
          + " use. See docs/planning.md."
    },
    footer = {
      "  quiver jobs",
      "  quiver jobs --json | jq '.[] | select(.verdict == \"GAINS_NOTHING\") | .job'",
      "",
      "With --json: [{job, members, user, gpus, dataset, benefit, gpus_saved, stall, hit, shared,",
      "miss, work_seconds, probing, verdict, evidence}…]; members are the processes of the job; hit,",
      "shared and miss are {seconds, batches, age_seconds}: the time of an item, by how many batches,",
      "how long ago."
    })
public final class JobsCommand extends Action {
  @Mixin private final ManagerOptions manager = new ManagerOptions();

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
          name(each),
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

  private static String name(JsonNode diagnosis) {
    int processes = diagnosis.path("members").size();
    String job = diagnosis.path("job").asText();
    return processes > 1 ? job + " (" + processes + " processes)" : job;
  }

  private static String verdict(JsonNode diagnosis) {
    String word = diagnosis.path("verdict").asText().toLowerCase(Locale.ROOT).replace('_', ' ');
    return diagnosis.path("probing").asBoolean() ? word + ", probing" : word;
  }

  private static String number(String format, JsonNode number) {
    return number(format, number.asDouble());
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
