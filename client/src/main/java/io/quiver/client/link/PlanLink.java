package io.quiver.client.link;

import io.quiver.core.engine.ReadRules;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a member in touch with the cache manager: reports every second, and at once when something
 * happened that a plan depends on; and waits for new plans. Of several managers it uses the one
 * that answers. Nobody waits for a manager: while none answers, the member goes on with the plan it
 * has.
 *
 * @param <P> the member's part of the plan
 */
public final class PlanLink<P> implements AutoCloseable {
  /** Makes the report of the moment. */
  @FunctionalInterface
  public interface Reporter {
    /**
     * Returns the document to send.
     *
     * @param leaving whether it is the last one
     */
    Object report(boolean leaving);
  }

  /** Keeps the latest plan. Called by several threads. */
  public interface PlanHolder<P> {
    /** Takes a plan over if it is newer. */
    void offer(P plan);

    /** Returns the version of the plan; 0 before there is one. */
    long version();

    /** Returns true if the first plan is worth waiting for. */
    boolean awaitsFirst(boolean reachable, long waitedNanos);
  }

  /**
   * A member of the cluster that reports, and the managers it reports to.
   *
   * @param kind {@code job} or {@code door}: the word of paths and messages
   * @param name unique among the members of that kind
   * @param managers tried in order
   * @param credentials shown to managers
   * @param plan the type of the answer
   */
  public record Member<P>(
      String kind, String name, List<URI> managers, ClientCredentials credentials, Class<P> plan) {
    /** Keeps its own copy. */
    public Member {
      managers = List.copyOf(managers);
    }

    @Override
    public String toString() {
      return kind + " " + name;
    }
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

  private final Member<P> member;
  private final PlanHolder<P> board;
  private final Reporter reporter;
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
   * Prepares the link of a member to its managers.
   *
   * @throws IOException if the credentials cannot be read
   */
  public PlanLink(Member<P> member, PlanHolder<P> board, Reporter reporter) throws IOException {
    this.member = member;
    this.board = board;
    this.reporter = reporter;
    this.client = new ControlClient(member.managers(), member.credentials(), CONNECT_TIMEOUT);
    this.path = "/v1/" + member.kind() + "s/" + member.name();
    String managers = String.join(", ", member.managers().stream().map(URI::getAuthority).toList());
    this.health = new ManagerHealth(member.toString(), managers, System::nanoTime);
  }

  /** Introduces the member; returns false if another one has its name. */
  public boolean introduce() {
    return report(false) || !health.isNameTaken();
  }

  /** Goes on reporting in the background, and waits a moment for the first plan. */
  public void start() {
    Thread.ofVirtual().name("quiver-" + member.kind() + "-report").start(this::reportOn);
    Thread.ofVirtual().name("quiver-" + member.kind() + "-plans").start(this::pollOn);
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
  public void nudge() {
    lock.lock();
    try {
      news = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if a manager answered lately. */
  public boolean reachable() {
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
      LOG.warn("{}: no report could be made", member, e);
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
      board.offer(ControlJson.read(answer.body(), member.plan()));
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
