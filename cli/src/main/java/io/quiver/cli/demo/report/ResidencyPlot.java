package io.quiver.cli.demo.report;

import io.quiver.cli.demo.run.ResidencyChange;
import io.quiver.core.plan.ChunkRole;
import io.quiver.core.plan.HeldChunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which chunks were in the cache when: time to the right, one row for each chunk (Quiver, FAST '20,
 * Figure 7).
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

  /** A stay of a chunk in one state. */
  private record Stay(int chunk, String state, double from, double to) {}

  String svg() {
    Frame frame = new Frame(Math.clamp(80 + 9.0 * chunks, 180, 560), seconds, chunks);
    Markup svg =
        frame.open(
            "residency",
            "Chunks in the cache over time",
            "Of "
                + chunks
                + " chunks some stay for the whole run; the others come in turn, are read by all"
                + " jobs and leave.");
    frame.axes(svg, "seconds", "chunk", Figures::plain);
    for (Stay stay : stays()) {
      double left = frame.x().place(stay.from());
      double top = frame.y().place(stay.chunk() + 1.0);
      double row = frame.y().place(stay.chunk()) - top;
      svg.add(
          "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>chunk %s: %s,"
              + " %s to %s s</title></rect>",
          stay.state(),
          left,
          top + row * 0.1,
          Math.max(0.6, frame.x().place(stay.to()) - left),
          row * 0.8,
          stay.chunk(),
          stay.state(),
          stay.from(),
          stay.to());
    }
    return svg.add("</svg>").toString();
  }

  private List<Stay> stays() {
    List<Stay> stays = new ArrayList<>();
    Map<Integer, Stay> open = new HashMap<>();
    for (ResidencyChange change : changes) {
      Map<Integer, String> now = new HashMap<>();
      if (change.chunks() == chunks) {
        change.held().forEach(held -> now.put(held.chunk(), state(held)));
      }
      endThoseThatChanged(open, now, change.seconds(), stays);
      now.forEach((chunk, state) ->
          open.computeIfAbsent(
              chunk, _ -> new Stay(chunk, state, change.seconds(), change.seconds())));
    }
    endThoseThatChanged(open, Map.of(), seconds, stays);
    return stays;
  }

  private static void endThoseThatChanged(
      Map<Integer, Stay> open, Map<Integer, String> now, double at, List<Stay> ended) {
    open.values()
        .removeIf(stay -> {
          boolean over = !stay.state().equals(now.get(stay.chunk()));
          if (over && at > stay.from()) {
            ended.add(new Stay(stay.chunk(), stay.state(), stay.from(), at));
          }
          return over;
        });
  }

  private static String state(HeldChunk held) {
    return switch (held.state()) {
      case LOADING -> "loading";
      case ACTIVE -> held.role() == ChunkRole.PINNED ? "pinned" : "active";
      case MARKED -> "marked";
    };
  }
}
