package io.quiver.client.loader;

import io.quiver.client.Blob;
import io.quiver.client.CacheClient;
import io.quiver.client.PutAnswer;
import io.quiver.core.engine.InsertQueue;
import io.quiver.core.engine.ReadRules;
import io.quiver.protocol.Receipt;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what was read from the store into the cache, in the background and in batches. Never makes
 * anybody wait: what does not fit into its queue is not inserted, and an insert that fails costs a
 * later read at worst.
 */
final class Inserter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Inserter.class);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);

  private final Duration linger;
  private final CacheAccess cache;
  private final Tally tally;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  // Guarded by the lock.
  private final InsertQueue<Entry> queue;
  private boolean closed;
  private final Thread thread;

  /**
   * A blob that waits, and the listener to the server's receipt, which is empty without an answer.
   */
  private record Entry(Blob blob, Consumer<Optional<Receipt>> done, int attempt) {
    int bytes() {
      return blob.content().remaining();
    }

    /** Returns true if the item is worth another attempt: its server did not know the plan yet. */
    boolean isWorthAnother(Optional<Receipt> receipt) {
      return receipt.equals(Optional.of(Receipt.NOT_PLANNED))
          && attempt < ReadRules.INSERT_ATTEMPTS;
    }

    Entry again() {
      return new Entry(blob, done, attempt + 1);
    }
  }

  Inserter(InsertBounds bounds, CacheAccess cache, Tally tally) {
    this.linger = bounds.linger();
    this.queue =
        new InsertQueue<>(bounds.items(), bounds.bytes(), bounds.queueBytes(), Entry::bytes);
    this.cache = cache;
    this.tally = tally;
    this.thread = Thread.ofVirtual().name("quiver-loader-insert").start(this::run);
  }

  /** Queues a blob if the queue is not full; tells when it was inserted or given up. */
  void offer(Blob blob, Consumer<Optional<Receipt>> done) {
    Entry entry = new Entry(blob, done, 1);
    if (!enqueue(entry)) {
      tally.count(Tally.Of.INSERT_FAILURES);
      done.accept(Optional.empty());
    }
  }

  private boolean enqueue(Entry entry) {
    lock.lock();
    try {
      boolean queued = !closed && queue.offer(entry);
      arrived.signal();
      return queued;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    List<Entry> batch = take();
    while (!batch.isEmpty()) {
      insert(batch);
      batch = take();
    }
  }

  /** Waits for something to insert, then a moment for more; empty at the end. */
  private List<Entry> take() {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed) {
        arrived.awaitUninterruptibly();
      }
      long left = linger.toNanos();
      while (!closed && left > 0 && !queue.isFull()) {
        left = arrived.awaitNanos(left);
      }
      return queue.take();
    } catch (InterruptedException e) {
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  private void insert(List<Entry> batch) {
    List<Optional<Receipt>> receipts = put(batch.stream().map(Entry::blob).toList());
    BitSet again = settle(batch, receipts);
    for (int i = again.nextClearBit(0); i < batch.size(); i = again.nextClearBit(i + 1)) {
      count(receipts.get(i));
      batch.get(i).done.accept(receipts.get(i));
    }
  }

  /** Ends an insert; returns which of its items are queued again. */
  private BitSet settle(List<Entry> batch, List<Optional<Receipt>> receipts) {
    BitSet again = new BitSet();
    lock.lock();
    try {
      queue.inserted(batch);
      for (int i = 0; i < batch.size() && !closed; i++) {
        Entry entry = batch.get(i);
        again.set(i, entry.isWorthAnother(receipts.get(i)) && queue.offer(entry.again()));
      }
      return again;
    } finally {
      lock.unlock();
    }
  }

  private List<Optional<Receipt>> put(List<Blob> blobs) {
    CacheClient client = cache.client();
    if (client != null) {
      try {
        PutAnswer answer = client.put(blobs, cache.planVersion(), cache.position());
        if (answer.failures().isEmpty()) {
          cache.heard(answer.lowest());
        }
        return answer.receipts();
      } catch (RuntimeException e) {
        LOG.debug("an insert of {} items failed", blobs.size(), e);
      }
    }
    return Collections.nCopies(blobs.size(), Optional.empty());
  }

  private void count(Optional<Receipt> receipt) {
    if (receipt.isEmpty() || !receipt.get().here()) {
      tally.count(Tally.Of.INSERT_FAILURES);
    } else if (receipt.get() == Receipt.ALREADY_HERE) {
      tally.count(Tally.Of.DUPLICATES);
    } else {
      tally.count(Tally.Of.INSERTED);
    }
  }

  /** Inserts what waits, and gives up what takes too long. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(LONGEST_GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Entry> left;
    lock.lock();
    try {
      left = queue.clear();
    } finally {
      lock.unlock();
    }
    left.forEach(entry -> entry.done.accept(Optional.empty()));
  }
}
