package io.quiver.client.loader;

import io.quiver.core.engine.ReadRules;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a job in touch with the cache manager: reports every second, and at once when something
 * happened that a plan depends on; and waits for new plans. Nobody waits for the manager: while it
 * is away the job goes on with the plan it has.
 */
final class PlanLink implements AutoCloseable {
  /** Makes the report of the moment. */
  @FunctionalInterface
  interface Reporter {
    JobReport report(boolean leaving);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PlanLink.class);
  private static final long FIRST_PAUSE_NANOS = ReadRules.FIRST_MANAGER_PAUSE.toNanos();
  private static final long LONGEST_PAUSE_NANOS = ReadRules.LONGEST_MANAGER_PAUSE.toNanos();
  private static final int OK = 200;
  private static final int UNKNOWN = 404;
  private static final int BUSY = 503;

  private final String job;
  private final LatestPlan board;
  private final Reporter reporter;
  private final ManagerCalls calls;
  private final ManagerStanding standing;
  // Held while a report is on its way: none may overtake the goodbye.
  private final ReentrantLock sending = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean news;
  private boolean closed;

  PlanLink(ManagerCalls calls, String job, LatestPlan board, Reporter reporter) {
    this.job = job;
    this.board = board;
    this.reporter = reporter;
    this.calls = calls;
    this.standing = new ManagerStanding(job, calls.authority(), System::nanoTime);
  }

  /**
   * Introduces the job and goes on reporting in the background.
   *
   * @throws LoadException if the manager will not have it
   */
  void open() {
    if (!report(false) && standing.isRefused()) {
      throw new LoadException(standing.complaint(), null);
    }
    Thread.ofVirtual().name("quiver-loader-report").start(this::reportOn);
    Thread.ofVirtual().name("quiver-loader-plans").start(this::pollOn);
    awaitFirst();
  }

  /** A manager that is there but has no plan yet is about to make one. */
  private void awaitFirst() {
    long begin = System.nanoTime();
    while (board.awaitsFirst(reachable(), System.nanoTime() - begin) && !isClosed()) {
      pause(FIRST_PAUSE_NANOS);
    }
  }

  /** Something a plan depends on has changed: it is reported at once. */
  void nudge() {
    lock.lock();
    try {
      news = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the manager answered lately. */
  boolean reachable() {
    return standing.reachable();
  }

  private void reportOn() {
    while (awaitNews()) {
      report(false);
    }
  }

  /** Waits for something to report or for a second to pass; says whether to go on. */
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

  /** Sends one report, and none after the last one; says whether it was taken. */
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
      return take(calls.report(reporter.report(leaving)));
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
      ControlClient.Answer answer = calls.poll(board.version());
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
      standing.met();
      return false;
    }
    if (answer.status() != OK) {
      standing.refused(answer);
      return false;
    }
    try {
      board.offer(ControlJson.read(answer.body(), JobPlan.class));
    } catch (MalformedDocument e) {
      lost(new IOException("the manager's plan makes no sense: " + e.getMessage(), e));
      return false;
    }
    standing.met();
    return true;
  }

  private void lost(IOException reason) {
    if (!isClosed()) {
      standing.lost(reason);
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

  /** Says goodbye. */
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
    calls.close();
  }
}
