package io.quiver.simulator.job;

import io.quiver.core.engine.EpochDraws;
import io.quiver.core.engine.JobMeter;
import io.quiver.core.engine.JobReporter;
import io.quiver.core.engine.PlanBoard;
import io.quiver.core.engine.ReadAheadWindow;
import io.quiver.core.engine.ReadOrder;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.simulator.cluster.Cluster;
import io.quiver.simulator.cluster.ManagerNode;
import io.quiver.simulator.cluster.SimulatedDataset;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.job.SimulatedBatch.Request;
import io.quiver.simulator.scenario.Scenario.Limits;
import io.quiver.simulator.trace.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One process of a training job: draws batches as far ahead as {@link ReadAheadWindow} allows, has
 * them read and gives them to its training loop, epoch after epoch.
 */
public final class SimulatedJob implements Handler, ManagerNode.Follower, JobReporter.Rank {
  private static final long LOOK_AGAIN = 0;
  private static final long FIRST_PLAN = 1;

  private final Engine engine;
  private final Trace trace;
  private final JobSetup setup;
  private final Cluster cluster;
  private final @Nullable ManagerNode manager;
  private final @Nullable JobHeartbeats heartbeats;
  private final Runnable ended;
  private final Fetching fetching;
  private final SimulatedPreload preload;
  private final JobMeter meter;
  private final JobReporter reporter;
  private final PlanBoard board;
  private final TransformStage transforms;
  private final TrainingLoop loop;
  private final SimulatedUpcoming upcoming;
  private @Nullable PlanView view;
  private @Nullable JobReport latest;
  private EpochDraws<Request, ReadOrder<Request>> draws;
  private ReadAheadWindow<SimulatedBatch> window;
  private int epoch;
  private long requests;
  private long firstRequest;
  private boolean running;
  private boolean napping;
  private long startedAt;

  /**
   * Makes a job that has not begun.
   *
   * @param ended told when it is over
   */
  public SimulatedJob(Engine engine, Trace trace, JobSetup setup, Cluster cluster, Runnable ended) {
    this.engine = engine;
    this.trace = trace;
    this.setup = setup;
    this.cluster = cluster;
    this.ended = ended;
    this.manager = cluster.manager();
    this.heartbeats =
        manager == null ? null : new JobHeartbeats(engine, manager, this, this::report);
    this.fetching = new Fetching(engine, trace, setup, this::view);
    this.preload = new SimulatedPreload(engine, setup, fetching, this::view, this::news);
    this.meter = new JobMeter(1, setup.loader().depth());
    this.reporter = reporter(setup);
    this.board = new PlanBoard(setup.dataset().key(), setup.dataset().items());
    this.transforms = new TransformStage(engine, trace, setup, this::ready, this::advance);
    this.loop = new TrainingLoop(engine, trace, setup, meter, this::news, this::worked);
    this.draws = draws(0, 1);
    this.window = window();
    this.upcoming =
        new SimulatedUpcoming(
            engine, setup, fetching, this::view, () -> draws.order(), () -> window);
  }

  private PlanView view() {
    PlanView latest = view;
    if (latest == null) {
      return manager == null ? PlanView.shared(cluster.owners()) : PlanView.none(cluster.owners());
    }
    return latest;
  }

  private void news() {
    if (heartbeats != null) {
      heartbeats.news();
    }
  }

  /** Returns true if it has begun and not ended. */
  public boolean isRunning() {
    return running;
  }

  /** Begins to read. */
  public void start() {
    running = true;
    startedAt = engine.now();
    loop.begin();
    beginEpoch();
    int first = setup.index() - setup.rank();
    trace.shared(startedAt, setup.index(), first, setup.ranks());
    trace.jobStarted(startedAt, setup.index(), setup.name(), setup.dataset().index());
    if (heartbeats == null) {
      advance();
    } else {
      heartbeats.begin();
      engine.after(ReadRules.UNREACHABLE_AFTER.toNanos(), this, FIRST_PLAN);
      engine.after(ReadRules.FIRST_PLAN_WAIT.toNanos(), this, FIRST_PLAN);
      advance();
    }
  }

  /** Vanishes without a word. */
  public void kill() {
    if (running) {
      quit(true);
    }
  }

  private void quit(boolean killed) {
    running = false;
    preload.stop();
    fetching.stop(killed);
    loop.stop();
    trace.jobEnded(engine.now(), setup.index(), killed);
    if (heartbeats != null) {
      heartbeats.end(killed);
    }
    ended.run();
  }

  @Override
  public void follow(Plan plan) {
    JobReport reported = latest;
    if (!running || plan.version() <= board.version() || reported == null) {
      return;
    }
    JobPlan part = plan.forJob(reported);
    if (!board.offer(part)) {
      return;
    }
    view = new PlanView(plan, part, cluster.owners(plan.members()));
    meter.follow(part.probe());
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
      while (window.mayDraw() && drawOne()) {
        // Each turn sends one batch on its way.
      }
      more = work() || endEpoch();
    }
  }

  /** Gives the loop the next batch if it is free and there is one; returns true if it did. */
  private boolean work() {
    SimulatedBatch batch = loop.isWorking() ? null : window.take();
    if (batch == null) {
      return false;
    }
    loop.take(batch, epoch);
    return true;
  }

  private boolean drawOne() {
    boolean reachable = manager != null && manager.isUp();
    if (board.awaitsFirst(reachable, engine.now() - startedAt)) {
      return false;
    }
    PlanView now = view();
    Request request = draws.next(now.part(), reachable, engine.now());
    tell();
    if (request == null) {
      nap();
      return false;
    }
    read(now, request);
    return true;
  }

  private void nap() {
    if (draws.waits() && !napping) {
      napping = true;
      engine.after(ReadRules.DRAW_AGAIN_AFTER.toNanos(), this, LOOK_AGAIN);
    }
  }

  private void read(PlanView now, Request request) {
    long number = requests++;
    window.begin(request.size() * setup.dataset().itemBytes());
    trace.requested(engine.now(), setup.index(), number);
    new SimulatedBatch(
            engine,
            trace,
            setup,
            cluster.servers(),
            fetching,
            draws.order(),
            now,
            request,
            number,
            meter.probesNext(0),
            this::wasRead)
        .start();
    upcoming.moveOn();
  }

  private void wasRead(SimulatedBatch batch) {
    if (!running) {
      return;
    }
    trace.answered(engine.now(), setup.index(), batch.number());
    draws.settle(batch.request(), batch.items());
    transforms.add(batch);
    draws.noteDrained(view().held());
    tell();
    advance();
  }

  private void ready(SimulatedBatch batch) {
    window.end(batch.number() - firstRequest, batch);
  }

  private void worked() {
    Limits limits = setup.spec().limits();
    if (loop.batches() >= limits.batches() || engine.now() - startedAt >= limits.nanos()) {
      quit(false);
    } else {
      advance();
    }
  }

  /** Ends the epoch if everything has been worked on; returns true if another has begun. */
  private boolean endEpoch() {
    if (loop.isWorking() || !window.isEmpty() || !draws.allRead()) {
      return false;
    }
    trace.epochEnded(engine.now(), setup.index(), epoch);
    epoch++;
    if (epoch >= setup.spec().limits().epochs()) {
      quit(false);
      return false;
    }
    beginEpoch();
    draws = draws(epoch, draws.order().chunks());
    window = window();
    firstRequest = requests;
    news();
    return true;
  }

  private static JobReporter reporter(JobSetup setup) {
    SimulatedDataset dataset = setup.dataset();
    return new JobReporter(
        new JobReporter.ProcessName(setup.name(), setup.spec().name(), setup.name()),
        new JobReporter.DatasetSize(dataset.key(), dataset.items(), dataset.bytes()),
        new JobReporter.TrainingRun(
            setup.batch(), 0, setup.spec().limits().epochs(), 1, setup.ranks()),
        new JobTraits("", setup.spec().compute().gpus(), setup.store().name()));
  }

  private EpochDraws<Request, ReadOrder<Request>> draws(int number, int chunks) {
    SimulatedDataset dataset = setup.dataset();
    OrderSetup order = setup.order(chunks);
    ReadOrder<Request> epochOrder =
        dataset.named()
            ? ItemizedEpoch.begin(setup.spec().sampler(), order, number)
            : CountedEpoch.begin(order, number);
    boolean mayWait = setup.spec().sampler() == SamplerKind.SUBSTITUTE;
    return new EpochDraws<>(epochOrder, setup.batch(), mayWait);
  }

  private ReadAheadWindow<SimulatedBatch> window() {
    boolean strict = setup.spec().sampler() == SamplerKind.STRICT;
    long itemBytes = setup.dataset().itemBytes();
    return new ReadAheadWindow<>(
        setup.loader().depth(), setup.loader().aheadBytes(), strict, item -> itemBytes);
  }

  private void beginEpoch() {
    long share = Math.ceilDiv(setup.dataset().items(), setup.ranks());
    long whole = Math.ceilDiv(share, setup.batch());
    boolean known = setup.spec().limits().epochs() < Integer.MAX_VALUE;
    meter.begin(0, known ? (setup.spec().limits().epochs() - epoch) * whole : -1);
  }

  private void tell() {
    if (draws.takeNews()) {
      news();
    }
  }

  private JobReport report(boolean leaving) {
    PlanView now = view();
    JobReport report =
        reporter.report(
            List.of(this),
            leaving,
            now.version(),
            now.held(),
            preload.loaded(),
            meter.speeds(engine.now()),
            List.of(),
            engine.now());
    latest = report;
    trace.measured(engine.now(), setup.index(), report.speeds());
    return report;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  @Override
  public int @Nullable [] remaining(int chunks) {
    return chunks == draws.order().chunks() ? draws.remaining() : null;
  }

  @Override
  public double itemSeconds() {
    return loop.itemSeconds();
  }

  @Override
  public double idleSeconds(long now) {
    return loop.idleSeconds();
  }
}
