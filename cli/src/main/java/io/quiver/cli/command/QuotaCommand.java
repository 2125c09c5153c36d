package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.command.PreferenceCommand.DatasetName;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.report.ByteSize;
import io.quiver.report.Table;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows and sets how much users and data sets may have of the cache. */
@Command(
    name = "quota",
    description = {
      "Show or set the quotas of users and data sets.",
      "A data set that several users read counts against the largest of their quotas."
          + " The manager keeps quotas over restarts; quiver up --quota sets them at the start."
    },
    footer = {
      "  quiver quota                          # what is set",
      "  quiver quota user=alice 500GB",
      "  quiver quota dataset=train.qdg 100GB",
      "  quiver quota user=alice none          # take it back",
      "",
      "With --json: {\"datasets\": {key: preference…}, \"dataset_quotas\": {key: bytes…},"
          + " \"user_quotas\":",
      "{user: bytes…}, \"paths\": {path: {\"preference\", \"ttl_seconds\"}…}}"
    })
public final class QuotaCommand extends Action {
  private static final long NONE = -1;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "<who>",
      description = "user=<name>, or dataset=<digest file or key>.")
  private @Nullable String who;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "<size>",
      description = "Most bytes, such as 500GB, or none to remove the quota.")
  private @Nullable String size;

  @Override
  ExitCode run(Output output) throws Exception {
    try (ManagerClient client = manager.client(output.console())) {
      JsonNode preferences =
          who == null
              ? client.get("/v1/preferences")
              : client.post(path(who), Map.of("quota_bytes", bytes()));
      if (output.json()) {
        output.document(preferences);
      } else {
        show(preferences, output);
      }
    }
    return ExitCode.OK;
  }

  private static String path(String who) throws Exception {
    if (who.startsWith("user=") && who.length() > 5) {
      return "/v1/users/" + URLEncoder.encode(who.substring(5), StandardCharsets.UTF_8) + "/quota";
    }
    if (who.startsWith("dataset=")) {
      DatasetKey key = DatasetName.parse(who.substring(8));
      return "/v1/datasets/" + key + "/preference";
    }
    throw new IllegalArgumentException(
        "a quota for \"" + who + "\"; write user=<name> or dataset=<digest>");
  }

  private long bytes() {
    if (size == null) {
      throw new IllegalArgumentException("a quota for " + who + " of what size? Give one, or none");
    }
    return size.equals("none") ? NONE : ByteSize.parse(size).bytes();
  }

  private static void show(JsonNode preferences, Output output) {
    Table table = new Table("who", "quota");
    rows(table, "user ", preferences.path("user_quotas"));
    rows(table, "data set ", preferences.path("dataset_quotas"));
    if (preferences.path("user_quotas").isEmpty() && preferences.path("dataset_quotas").isEmpty()) {
      output.line("no quotas");
    } else {
      table.lines(output.console().outPaint()).forEach(output::line);
    }
  }

  private static void rows(Table table, String kind, JsonNode quotas) {
    quotas
        .properties()
        .forEach(each -> table.row(kind + each.getKey(), ByteSize.show(each.getValue().asLong())));
  }
}
