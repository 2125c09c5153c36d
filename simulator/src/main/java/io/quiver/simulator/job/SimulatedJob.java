package io.quiver.simulator.job;

import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.simulator.cluster.Cluster;
import io.quiver.simulator.cluster.ManagerNode;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.trace.Trace;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A training job: draws batches as far ahead as its loader may, has them read and gives them to its
 * training loop, epoch after epoch.
 */
public final class SimulatedJob implements Handler, ManagerNode.Follower {
  private static final long LOOK_AGAIN = 0;
  private static final long FIRST_PLAN = 1;
  private static final long FIRST_PLAN_PATIENCE = Duration.ofSeconds(4).toNanos();
  private static final long NAP = Duration.ofMillis(20).toNanos();

  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final Cluster cluster;
  private final @Nullable ManagerNode manager;
  private final @Nullable Reports reports;
  private final Runnable ended;
  private final Fetching fetching;
  private final Preload preload;
  private final JobProbe probe;
  private final TrainingLoop loop;
  private @Nullable PlanView view;
  private @Nullable JobReport latest;
  private Draws draws;
  private int epoch;
  private long requests;
  private boolean running;
  private boolean napping;
  private long startedAt;

  /**
   * A job that has not begun.
   *
   * @param ended told when it is over
   */
  public SimulatedJob(Engine engine, Trace trace, JobSetup setup, Cluster cluster, Runnable ended) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.cluster = cluster;
    this.ended = ended;
    this.manager = setup.caching() == Caching.PLANNED ? cluster.manager() : null;
    this.reports = manager == null ? null : new Reports(engine, manager, this, this::report);
    this.fetching = new Fetching(engine, trace, setup, this::view);
    this.preload = new Preload(engine, setup, fetching, this::view, this::news);
    this.probe = new JobProbe(setup, this::news);
    this.loop = new TrainingLoop(engine, trace, setup, probe, this::worked);
    this.draws = new Draws(setup, 0, 1, this::news);
  }

  private PlanView view() {
    PlanView latest = view;
    return latest != null ? latest : PlanView.none(cluster.owners());
  }

  private void news() {
    if (reports != null) {
      reports.news();
    }
  }

  /** Whether it has begun and not ended. */
  public boolean isRunning() {
    return running;
  }

  /** Begins. */
  public void start() {
    running = true;
    startedAt = engine.now();
    loop.begin();
    probe.begin(epoch);
    trace.jobStarted(startedAt, setup.index(), setup.name(), setup.dataset().index());
    if (reports == null) {
      advance();
    } else {
      reports.begin();
      engine.after(FIRST_PLAN_PATIENCE, this, FIRST_PLAN);
    }
  }

  /** Is gone without a word. */
  public void kill() {
    if (running) {
      quit(true);
    }
  }

  private void quit(boolean killed) {
    running = false;
    preload.stop();
    fetching.stop();
    loop.stop();
    trace.jobEnded(engine.now(), setup.index(), killed);
    if (reports != null) {
      reports.end(killed);
    }
    ended.run();
  }

  @Override
  public void follow(Plan plan) {
    PlanView before = view;
    JobReport reported = latest;
    boolean old = before != null && plan.version() <= before.version();
    if (!running || old || reported == null) {
      return;
    }
    JobPlan part = plan.forJob(reported);
    view = new PlanView(plan, part, cluster.owners(plan.members()));
    probe.follow(part.probe());
    preload.planned();
    advance();
  }

  @Override
  public void happen(long what) {
    napping &= what != LOOK_AGAIN;
    if (running) {
      advance();
    }
  }

  /** Draws as far ahead as it may, and lets the loop work on what is ready. */
  private void advance() {
    boolean more = true;
    while (running && more) {
      while (draws.beingRead() + loop.ready() < setup.loader().depth() && drawOne()) {
        // Each turn sends one batch on its way.
      }
      more = loop.take(epoch) || endEpoch();
    }
  }

  private boolean drawOne() {
    boolean awaitsPlan = manager != null && view == null;
    if (awaitsPlan && engine.now() - startedAt < FIRST_PLAN_PATIENCE) {
      return false;
    }
    PlanView now = view();
    Wish wish = draws.next(now, manager != null && manager.isUp(), engine.now());
    if (wish == null) {
      nap();
      return false;
    }
    read(now, wish);
    return true;
  }

  private void nap() {
    if (draws.waits() && !napping) {
      napping = true;
      engine.after(NAP, this, LOOK_AGAIN);
    }
  }

  private void read(PlanView now, Wish wish) {
    long request = requests++;
    trace.requested(engine.now(), setup.index(), request);
    new BatchRead(
            engine,
            trace,
            setup,
            cluster.servers(),
            fetching,
            draws.order(),
            now,
            wish,
            probe.probesNext(),
            batch -> wasRead(batch, request))
        .start();
  }

  private void wasRead(BatchRead batch, long request) {
    if (!running) {
      return;
    }
    trace.answered(engine.now(), setup.index(), request);
    draws.settle(batch.wish(), batch.items());
    loop.offer(batch.loaded());
    draws.noteDrained(view().held());
    advance();
  }

  private void worked() {
    boolean enough = loop.batches() >= setup.batches() || engine.now() - startedAt >= setup.nanos();
    if (enough) {
      quit(false);
    } else {
      advance();
    }
  }

  /** Ends the epoch if everything has been worked on; says whether another has begun. */
  private boolean endEpoch() {
    if (loop.isWorking() || loop.ready() > 0 || !draws.allRead()) {
      return false;
    }
    trace.epochEnded(engine.now(), setup.index(), epoch);
    epoch++;
    if (epoch >= setup.epochs()) {
      quit(false);
      return false;
    }
    probe.begin(epoch);
    draws = new Draws(setup, epoch, draws.order().chunks(), this::news);
    news();
    return true;
  }

  private JobReport report(Reports.Occasion occasion) {
    PlanView now = view();
    DatasetPlan held = now.held();
    int chunks = draws.order().chunks();
    boolean known = held != null && held.chunks() == chunks;
    JobReport report =
        JobReport.of(
                setup.name(),
                setup.name(),
                setup.dataset().key(),
                setup.dataset().items(),
                setup.dataset().bytes(),
                setup.batch())
            .sequence(occasion.sequence())
            .epoch(epoch, epoch == setup.epochs() - 1)
            .remaining(known ? draws.remaining() : List.of())
            .loaded(preload.loaded())
            .times(loop.itemSeconds(), loop.idleSeconds())
            .leaving(occasion.leaving())
            .following(now.version(), held)
            .traits(new JobTraits("", setup.gpus(), setup.storeName()))
            .speeds(probe.speeds(engine.now()))
            .build();
    latest = report;
    trace.measured(engine.now(), setup.index(), report.speeds());
    return report;
  }
}
