package io.quiver.simulator.cluster;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerCycle;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The manager: the real cycle, between messages that take their time. Reports that arrive while it
 * is busy are taken together; a new plan goes to everybody at once, as through the long polls of
 * the live system, and to whoever reports with an old one.
 */
public final class ManagerNode implements Handler {
  /** Somebody who is told of plans. */
  @FunctionalInterface
  public interface Follower {
    /** A plan has arrived, maybe an old one. */
    void follow(Plan plan);
  }

  private static final long TURN = 0;
  private static final long TICK = 1;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Engine engine;
  private final Trace trace;
  private final ManagerConfig config;
  private final long delayNanos;
  private final long turnNanos;
  private final SeededNumbers random;
  private final List<Follower> followers = new ArrayList<>();
  private @Nullable ManagerCycle cycle;
  private Plan published = Plan.empty(0);
  private boolean turnDue;
  private long lastTurn = Long.MIN_VALUE / 2;
  private boolean ticking;

  /**
   * A manager that has not started.
   *
   * @param delayNanos how long a message takes one way, on average
   * @param turnNanos how long it is busy with a turn at least
   */
  public ManagerNode(
      Engine engine,
      Trace trace,
      ManagerConfig config,
      long delayNanos,
      long turnNanos,
      SeededNumbers random) {
    this.engine = engine;
    this.trace = trace;
    this.config = config;
    this.delayNanos = delayNanos;
    this.turnNanos = turnNanos;
    this.random = random;
  }

  /** Begins, or takes over from one that died, knowing nothing. */
  public void start() {
    cycle =
        new ManagerCycle(config, Math.max(published.version(), 1 + engine.now() / NANOS_PER_MILLI));
    published = Plan.empty(0);
    if (!ticking) {
      ticking = true;
      engine.after(config.tick().toNanos(), this, TICK);
    }
  }

  /** Is gone, with everything it knew. */
  public void die() {
    cycle = null;
  }

  /** Returns true if somebody answers reports. */
  public boolean isUp() {
    return cycle != null;
  }

  /** Tells a follower of every plan from now on. */
  public void join(Follower follower) {
    followers.add(follower);
  }

  /** Tells it no more. */
  public void leave(Follower follower) {
    followers.remove(follower);
  }

  /** A job sends a report. */
  public void send(JobReport report, Follower from) {
    engine.after(
        delay(),
        any -> {
          ManagerCycle running = cycle;
          if (running != null) {
            String refusal = running.note(report, engine.now());
            if (refusal != null) {
              throw new IllegalStateException(refusal);
            }
            noted(report.planVersion(), from);
          }
        },
        0);
  }

  /** A server sends a report. */
  public void send(ServerReport report, Follower from) {
    engine.after(
        delay(),
        any -> {
          ManagerCycle running = cycle;
          if (running != null) {
            running.note(report, engine.now());
            noted(report.planVersion(), from);
          }
        },
        0);
  }

  /** Between half and one and a half times the usual delay: nobody is always first. */
  private long delay() {
    return (long) (delayNanos * (0.5 + random.fraction()));
  }

  private void noted(long knownVersion, Follower from) {
    if (!turnDue) {
      turnDue = true;
      engine.at(Math.max(engine.now(), lastTurn + turnNanos), this, TURN);
    }
    Plan answer = published;
    if (answer.version() > knownVersion) {
      engine.after(delay(), any -> from.follow(answer), 0);
    }
  }

  @Override
  public void happen(long what) {
    if (what == TICK) {
      engine.after(config.tick().toNanos(), this, TICK);
    } else {
      turnDue = false;
    }
    ManagerCycle running = cycle;
    if (running == null) {
      return;
    }
    lastTurn = engine.now();
    Plan plan = running.plan(engine.now());
    if (!running.isSettling(engine.now()) && plan.version() > published.version()) {
      publish(plan);
    }
  }

  private void publish(Plan plan) {
    published = plan;
    trace.planned(engine.now(), plan);
    for (Follower each : followers) {
      engine.after(delay(), any -> each.follow(plan), 0);
    }
  }
}
