package io.quiver.manager;

import io.quiver.core.plan.report.Observed;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds the latest report of each member by name, bounded in number and in bytes, until its lease
 * lapses. A stranger who reports under many names is refused; he takes nothing from the others.
 */
final class ReportBook<T> {
  private final String kind;
  private final int mostReports;
  private final long mostBytes;
  private final Duration lease;
  private final ToLongFunction<T> size;
  private final Map<String, Observed<T>> reports = new HashMap<>();
  private long bytes;

  /**
   * Makes an empty book.
   *
   * @param kind what members are called in a refusal
   * @param size about how many bytes a report takes in memory
   */
  ReportBook(String kind, int mostReports, long mostBytes, Duration lease, ToLongFunction<T> size) {
    this.kind = kind;
    this.mostReports = mostReports;
    this.mostBytes = mostBytes;
    this.lease = lease;
    this.size = size;
  }

  /** Returns the latest report of a member, or null. */
  @Nullable Observed<T> get(String name) {
    return reports.get(name);
  }

  /**
   * Replaces the report of a member.
   *
   * @throws Refused when there are too many
   */
  void put(String name, T report, long now) throws Refused {
    Observed<T> before = reports.get(name);
    long after = bytes + size.applyAsLong(report) - (before == null ? 0 : size(before));
    if (after > mostBytes || (before == null && reports.size() >= mostReports)) {
      throw new Refused(
          Refused.Reason.FULL,
          "the manager has reports of "
              + reports.size()
              + " "
              + kind
              + " and takes at most "
              + mostReports
              + ", in "
              + mostBytes
              + " bytes");
    }
    bytes = after;
    reports.put(name, new Observed<>(report, now));
  }

  void remove(String name) {
    Observed<T> before = reports.remove(name);
    bytes -= before == null ? 0 : size(before);
  }

  /** Forgets those who have been silent for longer than their lease. */
  void forgetSilent(long now) {
    List<String> silent =
        reports.entrySet().stream()
            .filter(each -> now - each.getValue().at() > lease.toNanos())
            .map(Map.Entry::getKey)
            .toList();
    silent.forEach(this::remove);
  }

  private long size(Observed<T> observed) {
    return size.applyAsLong(observed.report());
  }

  Set<String> names() {
    return reports.keySet();
  }

  List<Observed<T>> all() {
    return List.copyOf(reports.values());
  }

  List<T> reports() {
    return reports.values().stream().map(Observed::report).toList();
  }
}
