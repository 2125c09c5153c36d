package io.quiver.client.loader;

import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.JobReport;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job's connection to the manager: reports every second and at once when something changed, and
 * a long poll that brings plans as they are made. Nobody who reads data waits for it; while the
 * manager is away the last plan stays in force and it is asked again, ever more rarely.
 */
final class PlanLink implements AutoCloseable {
  /** Makes the report of this moment. */
  @FunctionalInterface
  interface Reporter {
    /** A report, with this number. */
    JobReport report(long sequence, boolean leaving);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PlanLink.class);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration POLL_WAIT = Duration.ofSeconds(8);
  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(12);
  private static final long REPORT_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long UNREACHABLE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int CONFLICT = 409;
  private static final int UNKNOWN = 404;
  private static final int BUSY = 503;
  private static final long FIRST_PLAN_NANOS = TimeUnit.SECONDS.toNanos(4);

  private final String job;
  private final URI heartbeat;
  private final URI plan;
  private final PlanBoard board;
  private final Reporter reporter;
  private final HttpClient http;
  // Held while a report is on its way: none may overtake the goodbye.
  private final ReentrantLock sending = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean news;
  private boolean closed;
  private boolean silent;
  private boolean refused;
  private long sequence;
  private volatile long lastContact;
  private volatile boolean everMet;
  private volatile String complaint = "";

  /** What the manager says of a request it refuses. */
  record Complaint(String error) {}

  PlanLink(URI manager, String job, PlanBoard board, Reporter reporter) {
    this.job = job;
    String base = manager.toString().replaceAll("/+$", "") + "/v1/jobs/" + job;
    this.heartbeat = URI.create(base + "/heartbeat");
    this.plan = URI.create(base + "/plan");
    this.board = board;
    this.reporter = reporter;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /**
   * Introduces the job and goes on reporting in the background.
   *
   * @throws LoadException if the manager will not have it
   */
  void open() {
    if (!report(false) && refused()) {
      throw new LoadException(complaint, null);
    }
    Thread.ofVirtual().name("quiver-loader-report").start(this::reportOn);
    Thread.ofVirtual().name("quiver-loader-plans").start(this::pollOn);
    awaitFirst();
  }

  /** A manager that is there but has no plan yet is about to make one. */
  private void awaitFirst() {
    long deadline = System.nanoTime() + FIRST_PLAN_NANOS;
    while (reachable() && board.version() == 0 && System.nanoTime() - deadline < 0 && !isClosed()) {
      pause(FIRST_PAUSE_NANOS);
    }
  }

  private boolean refused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
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
    return everMet && System.nanoTime() - lastContact < UNREACHABLE_AFTER_NANOS;
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
      long left = REPORT_EVERY_NANOS;
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
      JobReport report = reporter.report(nextSequence(), leaving);
      HttpRequest request =
          HttpRequest.newBuilder(heartbeat)
              .timeout(REPORT_TIMEOUT)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofByteArray(ControlJson.write(report)))
              .build();
      return take(http.send(request, BodyHandlers.ofByteArray()));
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

  private long nextSequence() {
    lock.lock();
    try {
      return ++sequence;
    } finally {
      lock.unlock();
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
    URI uri = URI.create(plan + "?after=" + board.version() + "&wait_ms=" + POLL_WAIT.toMillis());
    try {
      HttpResponse<byte[]> answer =
          http.send(
              HttpRequest.newBuilder(uri).timeout(POLL_TIMEOUT).build(),
              BodyHandlers.ofByteArray());
      if (answer.statusCode() == UNKNOWN) {
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

  private boolean take(HttpResponse<byte[]> answer) {
    if (answer.statusCode() == BUSY) {
      // It has just started, or has much to do: plans come when it has listened for a while.
      met();
      return false;
    }
    if (answer.statusCode() != 200) {
      refused(answer);
      return false;
    }
    try {
      board.offer(ControlJson.read(answer.body(), JobPlan.class));
    } catch (MalformedDocument e) {
      lost(new IOException("the manager's plan makes no sense: " + e.getMessage(), e));
      return false;
    }
    met();
    return true;
  }

  private void met() {
    lastContact = System.nanoTime();
    everMet = true;
    lock.lock();
    try {
      if (silent || refused) {
        LOG.info("job {}: the manager at {} answers again", job, heartbeat.getAuthority());
      }
      silent = false;
      refused = false;
    } finally {
      lock.unlock();
    }
  }

  private void refused(HttpResponse<byte[]> answer) {
    String said = said(answer);
    boolean first;
    lock.lock();
    try {
      first = !refused;
      refused = answer.statusCode() == CONFLICT;
      complaint =
          "job "
              + job
              + ": the manager at "
              + heartbeat.getAuthority()
              + " refuses it ("
              + answer.statusCode()
              + "): "
              + said
              + (refused ? "; wait for the other job to end or choose another name" : "");
    } finally {
      lock.unlock();
    }
    if (first) {
      LOG.warn("{}", complaint);
    }
  }

  private static String said(HttpResponse<byte[]> answer) {
    try {
      return String.valueOf(ControlJson.read(answer.body(), Complaint.class).error());
    } catch (MalformedDocument e) {
      return "no reason given";
    }
  }

  private void lost(IOException e) {
    lock.lock();
    try {
      if (!silent && !closed) {
        silent = true;
        LOG.warn(
            "job {}: the manager at {} does not answer ({}); going on without it",
            job,
            heartbeat.getAuthority(),
            e.toString());
      }
    } finally {
      lock.unlock();
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
    http.shutdownNow();
  }
}
