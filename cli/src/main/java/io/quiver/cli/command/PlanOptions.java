package io.quiver.cli.command;

import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.PathPreference;
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
      paramLabel = "<what>",
      description =
          "Cache all of this data set (its key), or of what doors read below this path"
              + " (s3://bucket/folder), before any other; may be repeated.")
  private List<String> pins = List.of();

  @Option(
      names = "--never",
      paramLabel = "<what>",
      description =
          "Never cache this data set, or what doors read below this path; may be repeated.")
  private List<String> nevers = List.of();

  PlannerKind planner() {
    return planner;
  }

  /** Returns the preferences that the options ask for. */
  CachePreferences preferences() {
    CachePreferences preferences = CachePreferences.NONE;
    for (String what : pins) {
      preferences = with(preferences, what, CachePreference.PIN);
    }
    for (String what : nevers) {
      if (pins.contains(what)) {
        throw new IllegalArgumentException(what + " with both --pin and --never");
      }
      preferences = with(preferences, what, CachePreference.NEVER);
    }
    for (String quota : quotas) {
      preferences = withQuota(preferences, quota);
    }
    return preferences;
  }

  private static CachePreferences with(
      CachePreferences preferences, String what, CachePreference preference) {
    return what.contains("://")
        ? preferences.withPath(what, new PathPreference(preference, null))
        : preferences.with(new DatasetKey(what), preference);
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
