package io.quiver.simulator.experiment;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Watches which chunks jobs that start late read first, and which were in the cache then. */
final class FirstReads implements Trace {
  private static final int BATCHES = 10;
  private static final double NANOS = 1e9;

  private final long lateNanos;
  private final Map<Integer, Start> late = new HashMap<>();
  private final List<Start> starts = new ArrayList<>();
  private @Nullable DatasetPlan held;

  /** The observations of a late job. */
  private static final class Start {
    private final String job;
    private final double seconds;
    private final TreeSet<Integer> chunks = new TreeSet<>();
    private final TreeSet<Integer> resident = new TreeSet<>();
    private int batches;

    Start(String job, double seconds) {
      this.job = job;
      this.seconds = seconds;
    }
  }

  /** Watches jobs that start at this time or later. */
  FirstReads(double lateSeconds) {
    this.lateNanos = (long) (lateSeconds * NANOS);
  }

  List<Figure7.LateStart> starts() {
    return starts.stream()
        .map(start ->
            new Figure7.LateStart(
                start.job, start.seconds, List.copyOf(start.chunks), List.copyOf(start.resident)))
        .toList();
  }

  /** Returns into how many chunks the last plan divides the data set. */
  int chunks() {
    DatasetPlan plan = held;
    return plan == null ? 0 : plan.chunks();
  }

  @Override
  public void planned(long now, Plan plan) {
    plan.datasets().stream().findFirst().ifPresent(dataset -> held = dataset);
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    if (now >= lateNanos) {
      Start start = new Start(name, now / NANOS);
      late.put(job, start);
      starts.add(start);
    }
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    Start start = late.get(job);
    DatasetPlan plan = held;
    if (start == null || plan == null || start.batches++ >= BATCHES) {
      return;
    }
    ChunkLayout layout = new ChunkLayout(plan.items(), plan.chunks());
    for (int item : items) {
      start.chunks.add(layout.chunkOf(item));
    }
    plan.held().stream().map(ChunkEntry::chunk).forEach(start.resident::add);
  }
}
