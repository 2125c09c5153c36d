package io.quiver.client.loader;

import io.quiver.core.engine.ReadRules;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a job in touch with the cache manager: reports every second, and at once when something
 * happened that a plan depends on; and waits for new plans. Of several managers it uses the one
 * that answers. Nobody waits for a manager: while none answers, the job goes on with the plan it
 * has.
 */
final class PlanLink implements AutoCloseable {
  /** Makes the report of the moment. */
  @FunctionalInterface
  interface Reporter {
    JobReport report(boolean leaving);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PlanLink.class);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration POLL_WAIT = Duration.ofSeconds(8);
  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(12);
  private static final long FIRST_PAUSE_NANOS = ReadRules.FIRST_MANAGER_PAUSE.toNanos();
  private static final long LONGEST_PAUSE_NANOS = ReadRules.LONGEST_MANAGER_PAUSE.toNanos();
  private static final int OK = 200;
  private static final int UNKNOWN = 404;
  private static final int BUSY = 503;

  private final String job;
  private final LatestPlan board;
  private final Reporter reporter;
  private final Consumer<ScoreBoard> scores;
  private final ControlClient client;
  private final String path;
  private final ManagerHealth health;
  // Held while a report is on its way: none may overtake the goodbye.
  private final ReentrantLock sending = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean news;
  private boolean closed;

  /**
   * Prepares the link of a job to its managers, which are tried in order.
   *
   * @param job the name under which the job reports; it may be one of several processes
   * @param scores told of the scores that other jobs share with this one
   */
  PlanLink(
      LoaderConfig config,
      String job,
      LatestPlan board,
      Reporter reporter,
      Consumer<ScoreBoard> scores) {
    this.job = job;
    this.board = board;
    this.reporter = reporter;
    this.scores = scores;
    try {
      this.client = new ControlClient(config.managers(), config.credentials(), CONNECT_TIMEOUT);
    } catch (IOException e) {
      throw new LoadException("job " + job + ": " + e.getMessage(), e);
    }
    this.path = "/v1/jobs/" + job;
    String managers = String.join(", ", config.managers().stream().map(URI::getAuthority).toList());
    this.health = new ManagerHealth(job, managers, System::nanoTime);
  }

  /** Introduces the job; returns false if another one has its name. */
  boolean introduce() {
    return report(false) || !health.isNameTaken();
  }

  /** Goes on reporting in the background, and waits a moment for the first plan. */
  void start() {
    Thread.ofVirtual().name("quiver-loader-report").start(this::reportOn);
    Thread.ofVirtual().name("quiver-loader-plans").start(this::pollOn);
    awaitFirst();
  }

  /** Waits briefly for the first plan: a manager that answers is about to make one. */
  private void awaitFirst() {
    long begin = System.nanoTime();
    while (board.awaitsFirst(reachable(), System.nanoTime() - begin) && !isClosed()) {
      pause(FIRST_PAUSE_NANOS);
    }
  }

  /** Reports at once, because something changed that a plan depends on. */
  void nudge() {
    lock.lock();
    try {
      news = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if a manager answered lately. */
  boolean reachable() {
    return health.reachable();
  }

  private void reportOn() {
    while (awaitNews()) {
      report(false);
    }
  }

  /** Waits for something to report or for a second to pass; returns false once closed. */
  private boolean awaitNews() {
    lock.lock();
    try {
      long left = ReadRules.REPORT_EVERY.toNanos();
      while (!news && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      news = false;
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Sends one report, and none after the last one; returns true if it was accepted. */
  private boolean report(boolean leaving) {
    sending.lock();
    try {
      return (leaving || !isClosed()) && send(leaving);
    } finally {
      sending.unlock();
    }
  }

  private boolean send(boolean leaving) {
    try {
      byte[] report = ControlJson.write(reporter.report(leaving));
      return take(client.post(path + "/heartbeat", report, REPORT_TIMEOUT));
    } catch (IOException e) {
      lost(e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (RuntimeException e) {
      LOG.warn("job {}: no report could be made", job, e);
      return false;
    }
  }

  private void pollOn() {
    long pause = FIRST_PAUSE_NANOS;
    while (!isClosed()) {
      if (poll()) {
        pause = FIRST_PAUSE_NANOS;
      } else {
        pause(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  private boolean poll() {
    try {
      String query = "?after=" + board.version() + "&wait_ms=" + POLL_WAIT.toMillis();
      ControlClient.Answer answer = client.get(path + "/plan" + query, POLL_TIMEOUT);
      if (answer.status() == UNKNOWN) {
        nudge();
        return false;
      }
      return take(answer);
    } catch (IOException e) {
      lost(e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean take(ControlClient.Answer answer) {
    if (answer.status() == BUSY) {
      // It has just started, or has much to do: plans come when it has listened for a while.
      health.met();
      return false;
    }
    if (answer.status() != OK) {
      health.refused(answer);
      return false;
    }
    try {
      JobPlan plan = ControlJson.read(answer.body(), JobPlan.class);
      board.offer(plan);
      Optional.ofNullable(plan.scores()).ifPresent(scores);
    } catch (MalformedDocument e) {
      lost(new IOException("the manager's plan cannot be read: " + e.getMessage(), e));
      return false;
    }
    health.met();
    return true;
  }

  private void lost(IOException reason) {
    if (!isClosed()) {
      health.lost(reason);
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void pause(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Ends reporting with a last report that says so. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (reachable()) {
      report(true);
    }
    client.close();
  }
}
