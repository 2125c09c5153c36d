package io.quiver.core.plan.stream;

import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.pattern.StreamMerge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stream as all doors together see it.
 *
 * @param summary merged from the doors' summaries
 * @param readers the doors through which it is read, in the order of their names
 */
public record ObservedStream(StreamSummary summary, List<Reader> readers) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A door through which the stream is read.
   *
   * @param door its name
   * @param user whose it is
   * @param label the path that this door tells
   */
  public record Reader(String door, String user, String label) {}

  /** Keeps its own copy. */
  public ObservedStream {
    readers = List.copyOf(readers);
  }

  /** Returns the streams that doors report, in the order of their keys. */
  public static List<ObservedStream> of(List<Observed<DoorReport>> reports, long now) {
    Map<String, List<Reader>> readers = new TreeMap<>();
    Map<String, List<StreamSummary>> summaries = new TreeMap<>();
    List<Observed<DoorReport>> sorted = new ArrayList<>(reports);
    sorted.sort(Comparator.comparing(each -> each.report().door()));
    for (Observed<DoorReport> each : sorted) {
      double age = Math.max(0, now - each.at()) / NANOS_PER_SECOND;
      DoorReport door = each.report();
      for (StreamSummary summary : door.streams()) {
        readers
            .computeIfAbsent(summary.key(), any -> new ArrayList<>())
            .add(new Reader(door.door(), door.user(), summary.label()));
        summaries.computeIfAbsent(summary.key(), any -> new ArrayList<>()).add(summary.after(age));
      }
    }
    List<ObservedStream> streams = new ArrayList<>();
    summaries.forEach((key, told) ->
        streams.add(
            new ObservedStream(
                StreamMerge.of(told).ofDataset(dataset(told)),
                readers.getOrDefault(key, List.of()))));
    return streams;
  }

  /** Returns the data set that all doors name; null if one of them names none or another. */
  private static @Nullable String dataset(List<StreamSummary> told) {
    @Nullable String first = told.getFirst().dataset();
    return first != null && told.stream().allMatch(each -> first.equals(each.dataset()))
        ? first
        : null;
  }

  /** Returns the names of the doors. */
  public List<String> doors() {
    return readers.stream().map(Reader::door).toList();
  }

  /** Returns the doors' users. */
  public List<String> users() {
    return readers.stream().map(Reader::user).distinct().toList();
  }

  /**
   * Returns the path that a user's own doors tell; empty if no door of this user reads the stream.
   */
  public String labelFor(String user) {
    return readers.stream()
        .filter(each -> each.user().equals(user))
        .map(Reader::label)
        .findFirst()
        .orElse("");
  }
}
