package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.report.plot.SpanPlot;
import io.quiver.report.plot.SpanPlot.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plots the chunks in the cache over time: time to the right, one row for each chunk (Quiver, FAST
 * '20, Figure 7).
 */
final class ResidencyPlot {
  private final List<ResidencyChange> changes;
  private final double seconds;
  private final int chunks;

  ResidencyPlot(List<ResidencyChange> changes, double seconds) {
    this.changes = List.copyOf(changes);
    this.seconds = seconds;
    this.chunks = changes.isEmpty() ? 1 : changes.getLast().chunks();
  }

  String svg() {
    return new SpanPlot(
            "residency",
            "Chunks in the cache over time",
            "Of "
                + chunks
                + " chunks some stay for the whole run; the others rotate: they are loaded, read by"
                + " all jobs and evicted.",
            "chunk",
            chunks,
            seconds,
            stays())
        .svg();
  }

  private List<Span> stays() {
    List<Span> stays = new ArrayList<>();
    Map<Integer, Span> open = new HashMap<>();
    for (ResidencyChange change : changes) {
      Map<Integer, String> now = new HashMap<>();
      if (change.chunks() == chunks) {
        change.held().forEach(held -> now.put(held.chunk(), state(held)));
      }
      endThoseThatChanged(open, now, change.seconds(), stays);
      now.forEach((chunk, state) ->
          open.computeIfAbsent(
              chunk, _ -> new Span(chunk, state, change.seconds(), change.seconds())));
    }
    endThoseThatChanged(open, Map.of(), seconds, stays);
    return stays;
  }

  private static void endThoseThatChanged(
      Map<Integer, Span> open, Map<Integer, String> now, double at, List<Span> ended) {
    open.values()
        .removeIf(stay -> {
          boolean over = !stay.style().equals(now.get(stay.row()));
          if (over && at > stay.from()) {
            ended.add(new Span(stay.row(), stay.style(), stay.from(), at));
          }
          return over;
        });
  }

  private static String state(ChunkEntry held) {
    return switch (held.state()) {
      case LOADING -> "loading";
      case ACTIVE -> held.role() == ChunkRole.PINNED ? "pinned" : "active";
      case MARKED -> "marked";
    };
  }
}
