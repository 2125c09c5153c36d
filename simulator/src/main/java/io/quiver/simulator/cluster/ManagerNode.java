package io.quiver.simulator.cluster;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerCycle;
import io.quiver.manager.Refused;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.scenario.Scenario.Network;
import io.quiver.simulator.trace.Trace;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The manager: the real cycle, between messages that take their time. Reports that arrive while it
 * is busy are taken together. As live, a report is answered by the plan that follows from it, a new
 * plan goes at once to everybody who has reported to this manager, and a manager that still listens
 * for the jobs of the one before answers nobody.
 */
public final class ManagerNode implements Handler {
  /** Takes plans. */
  @FunctionalInterface
  public interface Follower {
    /** Takes a plan that has arrived, maybe an old one. */
    void follow(Plan plan);
  }

  private static final long CYCLE = 0;
  private static final long TICK = 1;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Engine engine;
  private final Trace trace;
  private final ManagerConfig config;
  private final Network network;
  private final SeededNumbers random;
  private final Set<Follower> followers = new LinkedHashSet<>();
  private final Map<Follower, Long> unanswered = new LinkedHashMap<>();
  private @Nullable ManagerCycle cycle;
  private Plan published = Plan.empty(0);
  private boolean cycleDue;
  private long lastCycle = Long.MIN_VALUE / 2;
  private boolean ticking;

  /** Makes a manager that has not started. */
  public ManagerNode(
      Engine engine, Trace trace, ManagerConfig config, Network network, SeededNumbers random) {
    this.engine = engine;
    this.trace = trace;
    this.config = config;
    this.network = network;
    this.random = random;
  }

  /** Begins, or takes over from one that died, knowing nothing. */
  public void start() {
    cycle =
        new ManagerCycle(config, Math.max(published.version(), 1 + engine.now() / NANOS_PER_MILLI));
    published = Plan.empty(0);
    followers.clear();
    unanswered.clear();
    if (!ticking) {
      ticking = true;
      engine.after(config.tick().toNanos(), this, TICK);
    }
  }

  /** Dies, with everything it knew. */
  public void die() {
    cycle = null;
  }

  /** Returns true if it answers. */
  public boolean isUp() {
    return cycle != null;
  }

  /** Sends no more plans to a follower that is gone. */
  public void leave(Follower follower) {
    followers.remove(follower);
  }

  /** Sends a job's report. */
  public void send(JobReport report, Follower from) {
    engine.after(
        delay(),
        any -> {
          ManagerCycle running = cycle;
          if (running != null) {
            note(() -> running.note(report, engine.now()));
            noted(report.planVersion(), report.leaving(), from);
          }
        },
        0);
  }

  /** Sends a server's report. */
  public void send(ServerReport report, Follower from) {
    engine.after(
        delay(),
        any -> {
          ManagerCycle running = cycle;
          if (running != null) {
            note(() -> running.note(report, engine.now()));
            noted(report.planVersion(), report.leaving(), from);
          }
        },
        0);
  }

  private interface Noting {
    void run() throws Refused;
  }

  private static void note(Noting report) {
    try {
      report.run();
    } catch (Refused e) {
      throw new IllegalStateException("the manager refuses a simulated report", e);
    }
  }

  /** Returns between half and one and a half times the usual delay: nobody is always first. */
  private long delay() {
    return (long) (network.controlDelayNanos() * (0.5 + random.fraction()));
  }

  private void noted(long knownVersion, boolean leaving, Follower from) {
    if (!cycleDue) {
      cycleDue = true;
      engine.at(Math.max(engine.now(), lastCycle + network.cycleNanos()), this, CYCLE);
    }
    if (leaving) {
      followers.remove(from);
      return;
    }
    followers.add(from);
    unanswered.put(from, knownVersion);
  }

  @Override
  public void happen(long what) {
    if (what == TICK) {
      engine.after(config.tick().toNanos(), this, TICK);
    } else {
      cycleDue = false;
    }
    ManagerCycle running = cycle;
    if (running == null) {
      return;
    }
    lastCycle = engine.now();
    Plan plan = running.plan(engine.now());
    if (!running.isSettling(engine.now())) {
      if (plan.version() > published.version()) {
        published = plan;
        trace.planned(engine.now(), plan);
        followers.forEach(this::sendPlan);
      } else {
        unanswered.forEach((from, known) -> {
          if (known < published.version()) {
            sendPlan(from);
          }
        });
      }
    }
    unanswered.clear();
  }

  private void sendPlan(Follower to) {
    Plan plan = published;
    engine.after(delay(), any -> to.follow(plan), 0);
  }
}
