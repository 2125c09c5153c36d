package io.quiver.cli.command;

import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.remote.ingest.DigestFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Tells the manager which data sets and paths to prefer; each subclass is a command with one
 * preference.
 */
public abstract class PreferenceCommand extends Action {
  private static final String KEPT = " The manager keeps this over restarts.";
  private static final String DOCUMENT =
      "With --json: {\"dataset\": key, \"preference\": \"pin\" | \"never\" | \"auto\"}, or with"
          + " \"path\" in place of \"dataset\"";

  private final CachePreference preference;
  private final String done;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Parameters(
      paramLabel = "<digest>|<path>",
      description =
          "Data set: the file of its digest, or its key as quiver plan shows it. Or what doors read"
              + " below a path, as quiver streams shows it: s3://bucket/folder.")
  private String dataset;

  PreferenceCommand(CachePreference preference, String done) {
    this.preference = preference;
    this.done = done;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    String word = preference.name().toLowerCase(Locale.ROOT);
    if (dataset.contains("://")) {
      return preferPath(output, word);
    }
    DatasetKey key = DatasetName.parse(dataset);
    try (ManagerClient client = manager.client(output.console())) {
      client.post("/v1/datasets/" + key + "/preference", Map.of("preference", word));
    }
    if (output.json()) {
      output.document(new Preferred(key.text(), word));
    } else {
      output.line("data set " + key + " " + done);
    }
    return ExitCode.OK;
  }

  private ExitCode preferPath(Output output, String word) throws Exception {
    try (ManagerClient client = manager.client(output.console())) {
      client.post("/v1/paths/preference", Map.of("path", dataset, "preference", word));
    }
    if (output.json()) {
      output.document(new PreferredPath(dataset, word));
    } else {
      output.line("what is read below " + dataset + " " + done);
    }
    return ExitCode.OK;
  }

  /** Keeps all of a data set in the cache, before any other, as far as it fits. */
  @Command(
      name = "pin",
      description = {
        "Keep all of a data set or path cached, before any other.",
        "Who reads it, or quiver warm, loads it; it stays when nobody reads it." + KEPT
      },
      footer = {
        "  quiver pin train.qdg",
        "  quiver pin 0123456789abcdef",
        "  quiver pin s3://b/train",
        "",
        DOCUMENT
      })
  public static final class Pin extends PreferenceCommand {
    Pin() {
      super(CachePreference.PIN, "is pinned");
    }
  }

  /** Lets the planner decide again about a data set. */
  @Command(
      name = "unpin",
      description = {
        "Undo pin or never.",
        "The planner decides again how much of it is cached; a quota stays." + KEPT
      },
      footer = {"  quiver unpin train.qdg", "  quiver unpin 0123456789abcdef", "", DOCUMENT})
  public static final class Unpin extends PreferenceCommand {
    Unpin() {
      super(CachePreference.AUTO, "is planned as any other");
    }
  }

  /** Keeps nothing of a data set in the cache: its jobs read the store. */
  @Command(
      name = "never",
      description = {
        "Keep nothing of a data set or path in the cache.",
        "Its readers read the store, and cached data is evicted at once; quiver unpin undoes it."
            + KEPT
      },
      footer = {
        "  quiver never train.qdg",
        "  quiver never 0123456789abcdef",
        "  quiver never s3://b/tmp",
        "",
        DOCUMENT
      })
  public static final class Never extends PreferenceCommand {
    Never() {
      super(CachePreference.NEVER, "is not cached any more");
    }
  }

  private record Preferred(String dataset, String preference) {}

  private record PreferredPath(String path, String preference) {}

  /** A data set as people name it: by its digest, or by the 16 digits that plans show. */
  static final class DatasetName {
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{16}");

    private DatasetName() {}

    static DatasetKey parse(String text) throws Exception {
      Path file = Path.of(text);
      if (KEY.matcher(text).matches() && !Files.exists(file)) {
        return new DatasetKey(text);
      }
      try (DigestFile digest = DigestFile.open(file)) {
        return DatasetKey.of(digest.digest().identity());
      }
    }
  }
}
