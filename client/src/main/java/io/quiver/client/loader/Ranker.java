package io.quiver.client.loader;

import io.quiver.client.CacheClient;
import io.quiver.client.RankAnswer;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the cache the priorities of what batches found there, in the background and in order. Never
 * makes anybody wait: what does not fit into its queue is not told, which costs a later read at
 * worst.
 */
final class Ranker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ranker.class);
  private static final int MOST_WAITING = 256;
  private static final long LOOK_AGAIN_MILLIS = 200;

  private final CacheAccess cache;
  private final BlockingQueue<Ranking> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private volatile boolean closed;

  /** The hits of one batch. */
  private record Ranking(SpaceId space, List<RankFrame.Row> rows) {}

  Ranker(CacheAccess cache) {
    this.cache = cache;
    Thread.ofVirtual().name("quiver-loader-rank").start(this::run);
  }

  /** Queues priorities of blobs in a space. */
  void offer(SpaceId space, List<RankFrame.Row> rows) {
    if (!rows.isEmpty() && !waiting.offer(new Ranking(space, rows))) {
      LOG.debug("{} priorities are not told: the cache is slow", rows.size());
    }
  }

  private void run() {
    try {
      while (!closed) {
        Ranking first = waiting.poll(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
          rank(first);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("ranking was interrupted");
    }
  }

  /** Tells the priorities of one batch, with those of others that wait for the same space. */
  private void rank(Ranking first) {
    List<RankFrame.Row> rows = new ArrayList<>(first.rows);
    Ranking next = waiting.peek();
    while (next != null
        && next.space.equals(first.space)
        && rows.size() + next.rows.size() <= Wire.MAX_BATCH) {
      rows.addAll(next.rows);
      waiting.remove();
      next = waiting.peek();
    }
    CacheClient client = cache.client();
    if (client == null) {
      return;
    }
    try {
      RankAnswer answer = client.rank(first.space, rows, cache.planVersion(), cache.position());
      if (answer.failures().isEmpty()) {
        cache.heard(answer.lowest());
      }
    } catch (RuntimeException e) {
      LOG.debug("{} priorities were not told", rows.size(), e);
    }
  }

  /** Ends telling; what waits is forgotten. */
  @Override
  public void close() {
    closed = true;
  }
}
