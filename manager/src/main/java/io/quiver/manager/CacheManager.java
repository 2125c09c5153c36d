package io.quiver.manager;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.DoorPlan;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.Planner;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.core.plan.report.ScoreGroups;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.review.PlanReview;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running cache manager: one thread goes through the {@link ManagerCycle}; whoever reports hands
 * its report over and gets the plan that followed.
 */
public final class CacheManager implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheManager.class);
  private static final int INBOX = 10_000;
  private static final int MAX_TOGETHER = 1_000;
  private static final long ANSWER_SECONDS = 5;

  /** Longest time a question for a newer plan may be kept waiting. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private final ManagerConfig config;
  private final ManagerCycle cycle;
  private final LongSupplier nanoTime;
  private final ArrayBlockingQueue<Entry> inbox = new ArrayBlockingQueue<>(INBOX);
  private final Thread thread;
  private final PreferenceStore saved;
  private final ReentrantLock saving = new ReentrantLock();
  private volatile Published published;
  private volatile boolean closed;

  private CacheManager(
      ManagerConfig config, PreferenceStore saved, long version, LongSupplier nanoTime) {
    this.config = config;
    this.saved = saved;
    this.cycle = new ManagerCycle(config, version);
    this.nanoTime = nanoTime;
    this.published =
        new Published(
            Plan.empty(version),
            true,
            Map.of(),
            List.of(),
            List.of(),
            ScoreGroups.NONE,
            config.preferences(),
            cycle.seen());
    this.thread = Thread.ofPlatform().name("quiver-manager").daemon().unstarted(this::run);
  }

  /** Starts a manager that knows nothing yet and forgets preferences when it ends. */
  public static CacheManager start(ManagerConfig config) {
    return start(config, config.preferences(), PreferenceStore.NONE);
  }

  /**
   * Starts a manager that knows nothing yet but the preferences that were saved. Those of the
   * configuration go before these, and are saved as well.
   *
   * @throws IOException if preferences cannot be read or saved
   */
  public static CacheManager start(ManagerConfig config, PreferenceStore saved) throws IOException {
    CachePreferences all = saved.load().and(config.preferences());
    saved.save(all);
    return start(config, all, saved);
  }

  private static CacheManager start(
      ManagerConfig config, CachePreferences preferences, PreferenceStore saved) {
    CacheManager manager =
        new CacheManager(
            config.withPreferences(preferences),
            saved,
            System.currentTimeMillis(),
            System::nanoTime);
    manager.thread.start();
    return manager;
  }

  /** The results that the cycle published last. */
  private record Published(
      Plan plan,
      boolean settling,
      Map<String, JobReport> jobs,
      List<ServerReport> servers,
      List<DoorReport> doors,
      ScoreGroups scores,
      CachePreferences preferences,
      Observations seen) {}

  /** A report on its way, and who waits for the plan that follows from it. */
  private record Entry(Object report, CompletableFuture<Reply> reply) {}

  private record PreferenceChange(UnaryOperator<CachePreferences> change) {}

  private record Reply(@Nullable Refused refusal, Published published) {}

  private void run() {
    while (!closed) {
      try {
        runCycle();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("a cycle of the manager failed; it goes on with the next", e);
      }
    }
  }

  private void runCycle() throws InterruptedException {
    List<Entry> entries = new ArrayList<>();
    Entry first = inbox.poll(config.tick().toMillis(), TimeUnit.MILLISECONDS);
    if (first != null) {
      entries.add(first);
      inbox.drainTo(entries, MAX_TOGETHER);
    }
    long now = nanoTime.getAsLong();
    List<@Nullable Refused> refusals = new ArrayList<>();
    try {
      entries.forEach(entry -> refusals.add(note(entry.report, now)));
      publish(now);
    } finally {
      for (int i = 0; i < entries.size(); i++) {
        entries.get(i).reply.complete(new Reply(refusals.get(i), published));
      }
    }
  }

  /** Notes one report; whatever is wrong with it stays between the manager and its sender. */
  private @Nullable Refused note(Object report, long now) {
    try {
      switch (report) {
        case JobReport job -> cycle.note(job, now);
        case ServerReport server -> cycle.note(server, now);
        case DoorReport door -> cycle.note(door, now);
        case PreferenceChange change -> cycle.note(change.change.apply(cycle.preferences()));
        default -> throw new IllegalStateException("a report of " + report.getClass());
      }
      return null;
    } catch (Refused e) {
      return e;
    } catch (RuntimeException e) {
      LOG.error("a report cannot be taken; the others are", e);
      return new Refused(Refused.Reason.INVALID, "the report cannot be taken: " + e);
    }
  }

  private void publish(long now) {
    Plan plan = cycle.plan(now);
    Map<String, JobReport> jobs = new TreeMap<>();
    cycle.jobs().forEach(job -> jobs.put(job.job(), job));
    List<ServerReport> servers =
        cycle.servers().stream().sorted(Comparator.comparing(ServerReport::server)).toList();
    List<DoorReport> doors =
        cycle.doors().stream().sorted(Comparator.comparing(DoorReport::door)).toList();
    Published next =
        new Published(
            plan,
            cycle.isSettling(now),
            jobs,
            servers,
            doors,
            ScoreGroups.of(jobs.values()),
            cycle.preferences(),
            cycle.seen());
    synchronized (this) {
      published = next;
      notifyAll();
    }
  }

  /**
   * Takes a job's report.
   *
   * @return its part of the plan that followed
   * @throws Refused when the report cannot be taken
   */
  public JobPlan report(JobReport report) throws Refused, InterruptedException {
    Published after = hand(report);
    requireSettled(after);
    JobPlan part = after.plan.forJob(report);
    SpaceOrder scores = after.plan.scores();
    return report.scores().isEmpty() || scores == null
        ? part
        : part.with(new ScoreBoard(scores.name(), after.scores.columnsFor(report)));
  }

  /** Takes a server's report; returns its part of the plan that followed. */
  public ServerPlan report(ServerReport report) throws Refused, InterruptedException {
    Published after = hand(report);
    requireSettled(after);
    return after.plan.forServers();
  }

  /** Takes a door's report; returns its part of the plan that followed. */
  public DoorPlan report(DoorReport report) throws Refused, InterruptedException {
    Published after = hand(report);
    requireSettled(after);
    return after.plan.forDoors();
  }

  /**
   * Changes what people want, and saves it.
   *
   * @return what that is afterwards
   * @throws IllegalArgumentException if that cannot be wanted
   * @throws Refused if it cannot be saved; it counts nevertheless until the manager ends
   */
  public CachePreferences preference(UnaryOperator<CachePreferences> change)
      throws Refused, InterruptedException {
    // What makes no sense is refused here, not in the cycle.
    Objects.requireNonNull(change.apply(published.preferences));
    CachePreferences after = hand(new PreferenceChange(change)).preferences;
    save();
    return after;
  }

  /** Saves the latest preferences: whoever comes last saves for all. */
  private void save() throws Refused {
    saving.lock();
    try {
      saved.save(published.preferences);
    } catch (IOException e) {
      LOG.error("preferences cannot be saved", e);
      throw new Refused(
          Refused.Reason.BUSY,
          "the preference counts, but cannot be saved and ends with the manager: "
              + e.getMessage());
    } finally {
      saving.unlock();
    }
  }

  private Published hand(Object report) throws Refused, InterruptedException {
    Entry entry = new Entry(report, new CompletableFuture<>());
    if (closed || !inbox.offer(entry)) {
      throw new Refused(Refused.Reason.BUSY, "the manager is busy; report again");
    }
    try {
      Reply reply = entry.reply.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (reply.refusal != null) {
        throw reply.refusal;
      }
      return reply.published;
    } catch (ExecutionException | TimeoutException e) {
      throw new Refused(Refused.Reason.BUSY, "the manager did not answer in time; report again");
    }
  }

  private static void requireSettled(Published now) throws Refused {
    if (now.settling) {
      throw new Refused(
          Refused.Reason.BUSY, "the manager has just started and listens; go on as before");
    }
  }

  /**
   * Returns a job's part of the first plan after a version, or of the present one when the time is
   * over.
   *
   * @throws Refused when the manager does not know the job
   */
  public JobPlan await(String job, long version, Duration time)
      throws Refused, InterruptedException {
    Published now = await(version, time);
    JobReport report = now.jobs.get(job);
    if (report == null) {
      throw new Refused(
          Refused.Reason.UNKNOWN, "no job named " + job + " has reported; send a heartbeat first");
    }
    requireSettled(now);
    return now.plan.forJob(report);
  }

  /**
   * Returns the servers' part of the first plan after a version, or of the present one.
   *
   * @throws Refused when the server has not reported: a plan that was made without knowing what it
   *     holds would have it dropped
   */
  public ServerPlan awaitServer(String server, long version, Duration time)
      throws Refused, InterruptedException {
    Published now = await(version, time);
    if (now.servers.stream().noneMatch(each -> each.server().equals(server))) {
      throw new Refused(
          Refused.Reason.UNKNOWN,
          "no server named " + server + " has reported; send a heartbeat first");
    }
    requireSettled(now);
    return now.plan.forServers();
  }

  /**
   * Returns the doors' part of the first plan after a version, or of the present one.
   *
   * @throws Refused when the manager does not know the door
   */
  public DoorPlan awaitDoor(String door, long version, Duration time)
      throws Refused, InterruptedException {
    Published now = await(version, time);
    if (now.doors.stream().noneMatch(each -> each.door().equals(door))) {
      throw new Refused(
          Refused.Reason.UNKNOWN,
          "no door named " + door + " has reported; send a heartbeat first");
    }
    requireSettled(now);
    return now.plan.forDoors();
  }

  /**
   * Returns the first plan after a version, or the present one when the time is over; empty once
   * the manager is closed.
   */
  public Optional<Plan> awaitPlan(long version, Duration time) throws InterruptedException {
    Plan plan = await(version, time).plan;
    return closed ? Optional.empty() : Optional.of(plan);
  }

  private synchronized Published await(long version, Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + Math.min(time.toNanos(), MAX_WAIT.toNanos());
    while (!closed && (published.settling || published.plan.version() <= version)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        break;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return published;
  }

  /** Returns the plan that counts now. */
  public Plan plan() {
    return published.plan;
  }

  /** Returns the jobs that run, without the secrets by which the manager knows them. */
  public List<JobReport> jobs() {
    return published.jobs.values().stream().map(JobReport::withoutSecret).toList();
  }

  /** Explains the plan that counts now. */
  public PlanReview review() {
    Published now = published;
    return new PlanReview(new Planner(config.planner()), now.plan, now.seen, config.budgetBytes());
  }

  /** Returns the operators' preferences. */
  public CachePreferences preferences() {
    return published.preferences;
  }

  /** Returns the servers that run, without the secrets by which the manager knows them. */
  public List<ServerReport> servers() {
    return published.servers.stream().map(ServerReport::withoutSecret).toList();
  }

  /** Returns the doors that run, without the secrets by which the manager knows them. */
  public List<DoorReport> doors() {
    return published.doors.stream().map(DoorReport::withoutSecret).toList();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    synchronized (this) {
      notifyAll();
    }
    Entry entry;
    while ((entry = inbox.poll()) != null) {
      Refused stopping = new Refused(Refused.Reason.BUSY, "the manager stops");
      entry.reply.complete(new Reply(stopping, published));
    }
  }
}
