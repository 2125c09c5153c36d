package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.manager.CacheManager;
import io.quiver.node.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a manager's plans hold, whenever it changes. */
final class ResidencyWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(10);
  private static final int MOST = 20_000;

  private final CacheManager manager;
  private final List<ResidencyChange> changes = new ArrayList<>();
  private final Ticker ticker;
  private long seenVersion;
  private long zeroNanos = System.nanoTime();

  ResidencyWatch(CacheManager manager) {
    this.manager = manager;
    this.ticker = Ticker.every(EVERY, this::look);
  }

  /** From now on times count from here. */
  synchronized void begin(long zero) {
    zeroNanos = zero;
  }

  private synchronized void look() {
    Plan plan = manager.plan();
    if (plan.version() == seenVersion || plan.datasets().isEmpty() || changes.size() >= MOST) {
      return;
    }
    seenVersion = plan.version();
    DatasetPlan dataset = plan.datasets().getFirst();
    boolean same =
        !changes.isEmpty()
            && changes.getLast().chunks() == dataset.chunks()
            && changes.getLast().held().equals(dataset.held());
    if (!same) {
      double seconds = (System.nanoTime() - zeroNanos) / 1e9;
      changes.add(new ResidencyChange(seconds, dataset.chunks(), dataset.held()));
    }
  }

  /** Returns every change so far, in order. */
  synchronized List<ResidencyChange> changes() {
    return List.copyOf(changes);
  }

  @Override
  public void close() {
    ticker.close();
  }
}
