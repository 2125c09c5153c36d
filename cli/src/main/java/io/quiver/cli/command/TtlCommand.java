package io.quiver.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.report.Table;
import io.quiver.report.TimeSpan;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows what is preferred of paths, and sets how long unread bytes below a path stay theirs. */
@Command(
    name = "ttl",
    description = {
      "Show or set how long a path stays cached without reads.",
      "A path stands for what doors read below it. After that time its bytes are free for others;"
          + " before, it keeps what nobody else needs."
          + " Without a TTL the time is estimated from the reads: quiver streams shows it as lease."
          + " Without arguments it shows what is preferred of which path."
    },
    footer = {
      "  quiver ttl                        # pins, vetoes and TTLs of paths",
      "  quiver ttl s3://b/train 1h",
      "  quiver ttl s3://b/train auto      # as estimated",
      "",
      "With --json: {path: {\"preference\": \"PIN\" | \"NEVER\" | \"AUTO\", \"ttl_seconds\": n |"
          + " null}…}"
    })
public final class TtlCommand extends Action {
  private static final double ESTIMATE = -1;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "<path>",
      description = "What doors read below a path, as quiver streams shows it.")
  private @Nullable String path;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "<time>",
      description = "Such as 90s, 10m or 1h; or auto for the estimate.")
  private @Nullable String time;

  @Override
  ExitCode run(Output output) throws Exception {
    try (ManagerClient client = manager.client(output.console())) {
      JsonNode preferences =
          path == null
              ? client.get("/v1/preferences")
              : client.post(
                  "/v1/paths/preference", Map.of("path", path, "ttl_seconds", seconds(path)));
      JsonNode paths = preferences.path("paths");
      if (output.json()) {
        output.document(paths);
      } else {
        show(paths, output);
      }
    }
    return ExitCode.OK;
  }

  private double seconds(String of) {
    if (time == null) {
      throw new IllegalArgumentException("a TTL of what for " + of + "? Give a time, or auto");
    }
    return time.equals("auto") ? ESTIMATE : TimeSpan.parse(time).toMillis() / 1000.0;
  }

  private static void show(JsonNode paths, Output output) {
    if (paths.isEmpty()) {
      output.line("nothing is preferred of any path");
      return;
    }
    Table table = new Table("path", "preference", "ttl");
    paths
        .properties()
        .forEach(each ->
            table.row(
                each.getKey(),
                each.getValue().path("preference").asText().toLowerCase(Locale.ROOT),
                each.getValue().path("ttl_seconds").isNumber()
                    ? TimeSpan.show(each.getValue().path("ttl_seconds").asDouble())
                    : "estimated"));
    table.lines(output.console().outPaint()).forEach(output::line);
  }
}
