package io.quiver.node.job;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.Batch.ItemSource;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/**
 * Runs one rank: takes batch after batch and works on each for as long as a GPU would. One item of
 * each batch that came from the cache is hashed to see that the bytes are the right ones. Its
 * counts may be looked at by other threads while it runs.
 */
public final class RankTraining {
  /** Takes what was delivered, before the work on it begins. */
  @FunctionalInterface
  public interface Sink {
    /** A batch was delivered; its bytes are there until this returns. */
    void take(Batch batch) throws IOException;
  }

  private final DatasetDigest digest;
  private final IntToLongFunction workNanos;
  private final Sink sink;
  private final LongSupplier nanoTime;
  private final LongAdder items = new LongAdder();
  private final LongAdder wrongItems = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAdder workedNanos = new LongAdder();

  /**
   * A loop over a data set.
   *
   * @param workNanos how long a batch of so many items takes
   */
  public RankTraining(
      DatasetDigest digest, IntToLongFunction workNanos, Sink sink, LongSupplier nanoTime) {
    this.digest = digest;
    this.workNanos = workNanos;
    this.sink = sink;
    this.nanoTime = nanoTime;
  }

  /** Runs through an epoch in step with the other ranks, which it leaves at the end. */
  public void run(LoadedEpoch batches, Lockstep lockstep) throws IOException, InterruptedException {
    try {
      long asked = nanoTime.getAsLong();
      Optional<Batch> next = batches.next();
      while (next.isPresent()) {
        long given = nanoTime.getAsLong();
        work(next.get(), given);
        long done = nanoTime.getAsLong();
        lockstep.arrive();
        long together = nanoTime.getAsLong();
        batches.waitedForOthers(Duration.ofNanos(together - done));
        waitNanos.add(given - asked + together - done);
        workedNanos.add(done - given);
        asked = together;
        next = batches.next();
      }
    } finally {
      lockstep.leave();
    }
  }

  private void work(Batch delivered, long given) throws IOException, InterruptedException {
    int size = delivered.size();
    try (Batch batch = delivered) {
      sink.take(batch);
      check(batch);
    }
    items.add(size);
    pauseUntil(given + workNanos.applyAsLong(size));
  }

  /** The length of every item, and the hash of one from the cache: the loader hashed the others. */
  private void check(Batch batch) {
    int fromCache = -1;
    for (int place = 0; place < batch.size(); place++) {
      boolean rightLength = batch.bytes(place).remaining() == digest.size(batch.item(place));
      wrongItems.add(rightLength ? 0 : 1);
      fromCache = batch.source(place) == ItemSource.STORE ? fromCache : place;
    }
    if (fromCache >= 0) {
      ContentHash found = ContentHash.ofContent(batch.bytes(fromCache));
      wrongItems.add(found.equals(digest.hash(batch.item(fromCache))) ? 0 : 1);
    }
  }

  private void pauseUntil(long moment) throws InterruptedException {
    pauseUntil(moment, nanoTime);
  }

  /** Waits for a moment on a clock. */
  public static void pauseUntil(long moment, LongSupplier clock) throws InterruptedException {
    for (long left = moment - clock.getAsLong(); left > 0; left = moment - clock.getAsLong()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("the job was stopped");
      }
    }
  }

  /** Returns the number of items delivered. */
  public long items() {
    return items.sum();
  }

  /** Returns the number of items with wrong bytes. */
  public long wrongItems() {
    return wrongItems.sum();
  }

  /** Returns how long it waited for batches, its own and those of the ranks it is in step with. */
  public double waitSeconds() {
    return waitNanos.sum() / 1e9;
  }

  /** Returns how long it worked. */
  public double workSeconds() {
    return workedNanos.sum() / 1e9;
  }

  /**
   * Keeps the ranks of a job together as data-parallel training does: nobody begins a step before
   * all have finished the last one. A rank that has no batch left leaves; the others go on without
   * it.
   */
  public static final class Lockstep {
    private final Phaser steps;

    /** For so many ranks. */
    public Lockstep(int ranks) {
      steps = new Phaser(ranks);
    }

    /** Waits until all have finished this step. */
    void arrive() throws InterruptedException {
      steps.awaitAdvanceInterruptibly(steps.arrive());
    }

    /** Takes no more steps. */
    void leave() {
      steps.arriveAndDeregister();
    }
  }
}
