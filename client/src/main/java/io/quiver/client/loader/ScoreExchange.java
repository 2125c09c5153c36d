package io.quiver.client.loader;

import io.quiver.client.Blob;
import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.GetRequest;
import io.quiver.client.GetRequest.Verification;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.importance.ScoreColumn;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.core.plan.report.ScoreOffer;
import io.quiver.protocol.AskStatus;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the jobs of a group the scores that this one found, and hears theirs, through the cache.
 * One thread does both in the background. Nobody waits for it: a column that does not come, or is
 * not what its name says, is left out, and the job samples by what it has heard.
 */
final class ScoreExchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScoreExchange.class);

  /** A server that refuses a column, or is down, is passed over by another hash. */
  private static final int ATTEMPTS = 4;

  private final LoaderConfig config;
  private final String group;
  private final CacheAccess cache;
  private final JobImportance importance;
  private final Runnable nudge;
  private final long dataset;
  private final int items;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All below guarded by the lock.
  private @Nullable ScoreColumn untold;
  private @Nullable ScoreColumn refused;
  private @Nullable ScoreBoard board;
  private boolean heardNews;
  private boolean closed;
  private ScoreOffer offer;
  // Of the thread alone: the columns on the board that were taken, whoever offers them.
  private Set<ContentHash> taken = new HashSet<>();

  /** Work for the thread; at least one of both is there. */
  private record Work(@Nullable ScoreColumn untold, ScoreBoard board) {}

  ScoreExchange(
      LoaderConfig config,
      String group,
      CacheAccess cache,
      JobImportance importance,
      Runnable nudge) {
    this.config = config;
    this.group = group;
    this.cache = cache;
    this.importance = importance;
    this.nudge = nudge;
    this.dataset = config.digest().identity().prefix();
    this.items = config.digest().itemCount();
    this.offer = new ScoreOffer(group, config.job(), 0, null, true);
    importance.tellTo(this::tell);
    Thread.ofVirtual().name("quiver-loader-scores").start(this::run);
  }

  /** Returns the job's part in its group, for its report. */
  List<ScoreOffer> offers() {
    lock.lock();
    try {
      return List.of(offer);
    } finally {
      lock.unlock();
    }
  }

  /** Queues a column for the others; one that was not told yet is forgotten. */
  private void tell(ScoreColumn column) {
    lock.lock();
    try {
      untold = column;
      refused = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notes the columns of the others. */
  void hear(ScoreBoard others) {
    lock.lock();
    try {
      board = others;
      heardNews = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (Work work = await(); work != null; work = await()) {
        if (work.untold != null) {
          publish(work.untold, work.board);
        }
        take(work.board);
      }
    } catch (InterruptedException e) {
      LOG.debug("the exchange of scores was interrupted");
    }
  }

  /**
   * Waits for something to do; null at the end. A column that no server took is tried again when
   * the manager has answered next.
   */
  private @Nullable Work await() throws InterruptedException {
    lock.lock();
    try {
      while (!closed && (board == null || (untold == null && !heardNews))) {
        changed.await();
      }
      if (closed) {
        return null;
      }
      Work work = new Work(untold == null ? refused : untold, Objects.requireNonNull(board));
      untold = null;
      refused = null;
      heardNews = false;
      return work;
    } finally {
      lock.unlock();
    }
  }

  private void publish(ScoreColumn column, ScoreBoard to) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ByteBuffer bytes = column.encode(dataset, attempt);
      ContentHash hash = ContentHash.ofContent(bytes);
      if (put(new Blob(hash, to.space(), bytes))) {
        lock.lock();
        try {
          offer = new ScoreOffer(group, config.job(), column.round(), hash, true);
        } finally {
          lock.unlock();
        }
        nudge.run();
        return;
      }
    }
    LOG.debug("no server takes the scores of epoch {} at the moment", column.round());
    lock.lock();
    try {
      refused = untold == null ? column : null;
    } finally {
      lock.unlock();
    }
  }

  private boolean put(Blob blob) {
    CacheClient client = cache.client();
    try {
      return client != null
          && client.put(List.of(blob), cache.planVersion(), RankingJob.NO_POSITION).here(0);
    } catch (RuntimeException e) {
      LOG.debug("scores were not told", e);
      return false;
    }
  }

  /**
   * Takes what is new; what cannot be had is asked for again when the manager has answered next.
   */
  private void take(ScoreBoard others) {
    Set<ContentHash> known = new HashSet<>();
    for (ScoreOffer each : others.columns()) {
      ContentHash hash = each.column();
      if (hash != null
          && !known.contains(hash)
          && (taken.contains(hash) || takeOne(each.member(), hash))) {
        known.add(hash);
      }
    }
    taken = known;
  }

  /** Takes a column, or finds out that it never can; returns false if it may come yet. */
  private boolean takeOne(String member, ContentHash hash) {
    GetRequest question = GetRequest.all(List.of(hash)).verifiedBy(Verification.SHA256);
    try (BlobAnswer answer = cache.get(question)) {
      if (answer == null || answer.status(0) != AskStatus.HIT) {
        return false;
      }
      importance.hear(ScoreColumn.decode(answer.bytes(0), dataset, items));
    } catch (IllegalArgumentException e) {
      LOG.warn("the scores that {} shares are left out: {}", member, e.getMessage());
    } catch (RuntimeException e) {
      LOG.debug("the scores of {} cannot be read", member, e);
      return false;
    }
    return true;
  }

  /** Ends the exchange; what is not told yet is forgotten. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
