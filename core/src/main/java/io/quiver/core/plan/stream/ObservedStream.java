package io.quiver.core.plan.stream;

import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.stream.StreamMerge;
import io.quiver.core.stream.StreamSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A stream as all doors together see it.
 *
 * @param summary merged from what each door tells
 * @param doors the doors through which it is read
 * @param users their users
 */
public record ObservedStream(StreamSummary summary, List<String> doors, List<String> users) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Keeps its own copies. */
  public ObservedStream {
    doors = List.copyOf(doors);
    users = List.copyOf(users);
  }

  /** Returns the streams that doors report, in the order of their keys. */
  public static List<ObservedStream> of(List<Observed<DoorReport>> reports, long now) {
    Map<String, List<Observed<DoorReport>>> readers = new TreeMap<>();
    Map<String, List<StreamSummary>> summaries = new TreeMap<>();
    List<Observed<DoorReport>> sorted = new ArrayList<>(reports);
    sorted.sort(Comparator.comparing(each -> each.report().door()));
    for (Observed<DoorReport> each : sorted) {
      double age = Math.max(0, now - each.at()) / NANOS_PER_SECOND;
      for (StreamSummary summary : each.report().streams()) {
        readers.computeIfAbsent(summary.key(), any -> new ArrayList<>()).add(each);
        summaries.computeIfAbsent(summary.key(), any -> new ArrayList<>()).add(summary.after(age));
      }
    }
    List<ObservedStream> streams = new ArrayList<>();
    readers.forEach((key, doors) ->
        streams.add(
            new ObservedStream(
                StreamMerge.of(summaries.getOrDefault(key, List.of())),
                doors.stream().map(each -> each.report().door()).toList(),
                doors.stream().map(each -> each.report().user()).distinct().toList())));
    return streams;
  }
}
