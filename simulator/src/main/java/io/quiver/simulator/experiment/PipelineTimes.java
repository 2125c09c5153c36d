package io.quiver.simulator.experiment;

import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Notes when the mini-batches of one job pass each stage, in the order its GPUs get them. */
final class PipelineTimes implements Trace {
  private static final double NANOS = 1e9;

  private final int watched;
  private final Map<Long, Passage> underWay = new HashMap<>();
  private final List<Figure4.MiniBatch> passed = new ArrayList<>();

  /** The times of a mini-batch that has not left the last stage. */
  private static final class Passage {
    private final long asked;
    private long came;
    private long transformBegan;
    private long transformed;

    Passage(long asked) {
      this.asked = asked;
    }
  }

  /** Watches the job with this number. */
  PipelineTimes(int watched) {
    this.watched = watched;
  }

  @Override
  public void requested(long now, int job, long request) {
    if (job == watched) {
      underWay.put(request, new Passage(now));
    }
  }

  @Override
  public void answered(long now, int job, long request) {
    Passage passage = job == watched ? underWay.get(request) : null;
    if (passage != null) {
      passage.came = now;
      passage.transformBegan = now;
      passage.transformed = now;
    }
  }

  @Override
  public void transformed(long now, int job, long request, long began) {
    Passage passage = job == watched ? underWay.get(request) : null;
    if (passage != null) {
      passage.transformBegan = began;
      passage.transformed = now;
    }
  }

  @Override
  public void computed(long now, int job, long request, long began) {
    Passage passage = job == watched ? underWay.remove(request) : null;
    if (passage != null) {
      passed.add(
          new Figure4.MiniBatch(
              passage.asked / NANOS,
              passage.came / NANOS,
              passage.transformBegan / NANOS,
              passage.transformed / NANOS,
              began / NANOS,
              now / NANOS));
    }
  }

  /** Returns consecutive mini-batches, counted from 0 in the order of the GPUs. */
  List<Figure4.MiniBatch> passed(int first, int count) {
    return List.copyOf(passed.subList(first, first + count));
  }
}
