package io.quiver.server.metrics;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Every metric of keepers. Each is told twice: {@code quiver_keeper_…{keeper}} adds up all spaces
 * under one kind of keeper, and {@code quiver_kept_space_…{space,keeper}} tells the spaces apart.
 * Spaces under fixed keepers, of which there are thousands, are in neither.
 */
public enum KeeperMetric {
  QUOTA_BYTES("gauge", "Most bytes that may be kept on this server.", Keeper.Report::quotaBytes),
  USED_BYTES("gauge", "Bytes of the blobs that are kept.", Keeper.Report::usedBytes),
  BLOBS("gauge", "Blobs that are kept.", Keeper.Report::blobs),
  ADMISSIONS_TOTAL("counter", "Offers of new blobs that were taken.", Keeper.Report::admissions),
  REFUSALS_TOTAL("counter", "Offers of blobs that were not taken.", Keeper.Report::refusals),
  EVICTIONS_TOTAL("counter", "Blobs evicted to make way for others.", Keeper.Report::evictions),
  GHOST_HITS_TOTAL(
      "counter",
      "Misses that this many eighths of the quota more would have made hits.",
      report -> report.ghostHits().stream().mapToLong(hits -> hits).sum()),
  LOWEST_PRIORITY(
      "gauge", "Lowest priority kept by ranked keepers.", Keeper.Report::lowestPriority);

  /** Most spaces that are told apart: those that use the most bytes. */
  static final int MAX_SPACES = 256;

  private static final String BY_KIND = "quiver_keeper_";
  private static final String BY_SPACE = "quiver_kept_space_";

  private final String type;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // a method of a record, which never changes
  private final ToLongFunction<Keeper.Report> value;

  KeeperMetric(String type, String help, ToLongFunction<Keeper.Report> value) {
    this.type = type;
    this.help = help;
    this.value = value;
  }

  /** The report of the keeper of one space. */
  public record SpaceReport(SpaceId space, KeeperKind kind, Keeper.Report report) {}

  /**
   * The reports of all keepers at one moment.
   *
   * @param kinds the sums for each kind of keeper, with the counts of keepers that are gone
   * @param spaces each keeper that is there
   */
  public record Reports(Map<KeeperKind, Keeper.Report> kinds, List<SpaceReport> spaces) {
    /** Keeps its own copies. */
    public Reports {
      kinds = Map.copyOf(kinds);
      spaces = List.copyOf(spaces);
    }
  }

  /** Writes the totals of every kind and the largest spaces. */
  static void write(MetricText text, Reports reports) {
    Map<KeeperKind, Keeper.Report> kinds = new TreeMap<>(reports.kinds);
    List<SpaceReport> largest =
        reports.spaces.stream()
            .sorted(
                Comparator.comparingLong((SpaceReport each) -> -each.report.usedBytes())
                    .thenComparing(SpaceReport::space))
            .limit(MAX_SPACES)
            .toList();
    for (KeeperMetric metric : values()) {
      String kindName = BY_KIND + metric.name().toLowerCase(Locale.ROOT);
      text.family(kindName, metric.type, metric.help + " By kind of keeper.");
      kinds.forEach((kind, report) -> metric.sample(text, kindName, report, "keeper", kind.word()));
      String spaceName = BY_SPACE + metric.name().toLowerCase(Locale.ROOT);
      text.family(spaceName, metric.type, metric.help + " By space.");
      for (SpaceReport each : largest) {
        String space = each.space.name();
        metric.sample(text, spaceName, each.report, "space", space, "keeper", each.kind.word());
      }
    }
  }

  /** Writes the samples of one keeper; what a keeper does not know has none. */
  private void sample(MetricText text, String name, Keeper.Report report, String... labels) {
    if (this == GHOST_HITS_TOTAL) {
      for (int i = 0; i < report.ghostHits().size(); i++) {
        String[] more = Arrays.copyOf(labels, labels.length + 2);
        more[labels.length] = "eighths";
        more[labels.length + 1] = Integer.toString(i + 1);
        text.sample(name, report.ghostHits().get(i), more);
      }
    } else if (this != LOWEST_PRIORITY || report.lowestPriority() != Ranked.UNKNOWN) {
      text.sample(name, value.applyAsLong(report), labels);
    }
  }

  /** Returns what stays of a report when its keeper is gone. */
  public static Keeper.Report countsOnly(Keeper.Report report) {
    return new Keeper.Report(
        0,
        0,
        0,
        report.admissions(),
        report.refusals(),
        report.evictions(),
        report.ghostHits(),
        Ranked.UNKNOWN);
  }

  /** Adds two reports of one kind of keeper. */
  public static Keeper.Report sum(Keeper.Report first, Keeper.Report second) {
    List<Long> ghostHits = new ArrayList<>();
    for (int i = 0; i < Math.max(first.ghostHits().size(), second.ghostHits().size()); i++) {
      ghostHits.add(at(first.ghostHits(), i) + at(second.ghostHits(), i));
    }
    long quota = first.quotaBytes() + second.quotaBytes();
    return new Keeper.Report(
        quota < 0 ? Long.MAX_VALUE : quota,
        first.usedBytes() + second.usedBytes(),
        first.blobs() + second.blobs(),
        first.admissions() + second.admissions(),
        first.refusals() + second.refusals(),
        first.evictions() + second.evictions(),
        ghostHits,
        lowest(first.lowestPriority(), second.lowestPriority()));
  }

  private static long at(List<Long> hits, int index) {
    return index < hits.size() ? hits.get(index) : 0;
  }

  private static long lowest(long first, long second) {
    return first == Ranked.UNKNOWN
        ? second
        : second == Ranked.UNKNOWN ? first : Math.min(first, second);
  }
}
