package io.quiver.simulator.job;

import io.quiver.core.engine.ReadRules;
import io.quiver.core.plan.report.JobReport;
import io.quiver.simulator.cluster.ManagerNode;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.time.Duration;
import java.util.function.Function;

/**
 * JobHeartbeats to the manager every second, and soon after something a plan depends on has
 * changed.
 */
final class JobHeartbeats implements Handler {
  private static final long HEARTBEAT = 0;
  private static final long NEWS = 1;
  private static final long EVERY = ReadRules.REPORT_EVERY.toNanos();
  private static final long NEWS_DELAY = Duration.ofMillis(1).toNanos();

  private final Engine engine;
  private final ManagerNode manager;
  private final ManagerNode.Follower job;
  private final Function<Boolean, JobReport> report;
  private boolean newsDue;
  private boolean running;

  JobHeartbeats(
      Engine engine,
      ManagerNode manager,
      ManagerNode.Follower job,
      Function<Boolean, JobReport> report) {
    this.engine = engine;
    this.manager = manager;
    this.job = job;
    this.report = report;
  }

  void begin() {
    running = true;
    send(false);
    engine.after(EVERY, this, HEARTBEAT);
  }

  /** Ends; without a last report if the job was killed. */
  void end(boolean killed) {
    running = false;
    if (killed) {
      manager.leave(job);
    } else {
      send(true);
    }
  }

  /** Reports soon, because something has changed. */
  void news() {
    if (running && !newsDue) {
      newsDue = true;
      engine.after(NEWS_DELAY, this, NEWS);
    }
  }

  @Override
  public void happen(long what) {
    if (!running) {
      return;
    }
    send(false);
    if (what == HEARTBEAT) {
      engine.after(EVERY, this, HEARTBEAT);
    } else {
      newsDue = false;
    }
  }

  private void send(boolean leaving) {
    manager.send(report.apply(leaving), job);
  }
}
