package io.quiver.cli.command;

import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.report.ByteSize;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of the planner and of its preferences. */
final class PlanOptions {
  @Option(
      names = "--planner",
      paramLabel = "<name>",
      defaultValue = "marginal",
      description =
          "Planner that divides the cache: marginal (bytes go where they save the most GPU"
              + " time), greedy3 (all of a data set, two chunks or nothing), igt (640 MB a"
              + " minute to whom they spare the most reads), lru (the least recently used is"
              + " evicted), pinned (what is read first stays) or none (default: ${DEFAULT-VALUE}).")
  private PlannerKind planner = PlannerKind.MARGINAL;

  @Option(
      names = "--quota",
      paramLabel = "<who>:<size>",
      description =
          "Most bytes for a user's data sets or for one data set: user=alice:50GB or"
              + " dataset=<key>:100GB; may be repeated.")
  private List<String> quotas = List.of();

  @Option(
      names = "--pin",
      paramLabel = "<key>",
      description = "Cache all of this data set, before any other; may be repeated.")
  private List<DatasetKey> pins = List.of();

  @Option(
      names = "--never",
      paramLabel = "<key>",
      description = "Never cache this data set; may be repeated.")
  private List<DatasetKey> nevers = List.of();

  PlannerKind planner() {
    return planner;
  }

  /** Returns the preferences that the options ask for. */
  CachePreferences preferences() {
    CachePreferences preferences = CachePreferences.NONE;
    for (DatasetKey key : pins) {
      preferences = preferences.with(key, CachePreference.PIN);
    }
    for (DatasetKey key : nevers) {
      if (preferences.of(key) == CachePreference.PIN) {
        throw new IllegalArgumentException("data set " + key + " with both --pin and --never");
      }
      preferences = preferences.with(key, CachePreference.NEVER);
    }
    for (String quota : quotas) {
      preferences = withQuota(preferences, quota);
    }
    return preferences;
  }

  private static CachePreferences withQuota(CachePreferences preferences, String text) {
    int equals = text.indexOf('=');
    int colon = text.lastIndexOf(':');
    String kind = equals < 0 ? "" : text.substring(0, equals);
    if (colon <= equals + 1 || !(kind.equals("user") || kind.equals("dataset"))) {
      throw new IllegalArgumentException(
          "--quota " + text + " is no quota; write user=<name>:<size> or dataset=<key>:<size>");
    }
    String who = text.substring(equals + 1, colon);
    long bytes = ByteSize.parse(text.substring(colon + 1)).bytes();
    return kind.equals("user")
        ? preferences.withUserQuota(who, bytes)
        : preferences.withQuota(new DatasetKey(who), bytes);
  }
}
