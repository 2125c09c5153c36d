package io.quiver.cli.command;

import io.quiver.cli.cluster.ManagerClient;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells the manager which data sets to prefer; each subclass is a command with one preference. */
public abstract class PreferenceCommand extends Action {
  private static final String FORGOTTEN = " The manager forgets this when it stops.";
  private static final String DOCUMENT =
      "With --json: {\"dataset\": key, \"preference\": \"pin\" | \"never\" | \"auto\"}";

  private final CachePreference preference;
  private final String done;

  @Mixin private final ManagerOptions manager = new ManagerOptions();

  @Parameters(
      paramLabel = "<digest>",
      description = "The data set: its digest file, or its key as quiver plan shows it.")
  private String dataset;

  PreferenceCommand(Console console, CachePreference preference, String done) {
    super(console);
    this.preference = preference;
    this.done = done;
  }

  @Override
  ExitCode run(Output output) throws Exception {
    DatasetKey key = DatasetName.parse(dataset);
    String word = preference.name().toLowerCase(Locale.ROOT);
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

  /** Keeps all of a data set in the cache, before any other, as far as it fits. */
  @Command(
      name = "pin",
      description =
          "Keep all of a data set in the cache, before any other, as far as it fits. A job that"
              + " reads it or quiver warm brings it in; it stays when nobody reads it."
              + FORGOTTEN,
      footerHeading = "%nExamples:%n",
      footer = {"  quiver pin train.qdg", "  quiver pin 0123456789abcdef", "", DOCUMENT})
  public static final class Pin extends PreferenceCommand {
    /** Creates the command on a console. */
    public Pin(Console console) {
      super(console, CachePreference.PIN, "is pinned");
    }
  }

  /** Lets the planner decide again about a data set. */
  @Command(
      name = "unpin",
      description =
          "Let the planner decide again how much of a data set is cached, after pin or never. A"
              + " quota stays; see quiver quota."
              + FORGOTTEN,
      footerHeading = "%nExamples:%n",
      footer = {"  quiver unpin train.qdg", "  quiver unpin 0123456789abcdef", "", DOCUMENT})
  public static final class Unpin extends PreferenceCommand {
    /** Creates the command on a console. */
    public Unpin(Console console) {
      super(console, CachePreference.AUTO, "is planned as any other");
    }
  }

  /** Keeps nothing of a data set in the cache: its jobs read the store. */
  @Command(
      name = "never",
      description =
          "Keep nothing of a data set in the cache: its jobs read the store. Whatever is cached is "
              + "evicted at once; quiver unpin takes it back."
              + FORGOTTEN,
      footerHeading = "%nExamples:%n",
      footer = {"  quiver never train.qdg", "  quiver never 0123456789abcdef", "", DOCUMENT})
  public static final class Never extends PreferenceCommand {
    /** Creates the command on a console. */
    public Never(Console console) {
      super(console, CachePreference.NEVER, "is not cached any more");
    }
  }

  private record Preferred(String dataset, String preference) {}
}
