package io.quiver.client.loader;

import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.probe.Delivery;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank in one epoch. A thread of its own draws batches as long as the bounds of reading ahead
 * allow; each is read in a virtual thread and then waits to be taken, in the order in which they
 * are complete, or in that of the draws when the order is strict.
 *
 * <p>To the sampler an item is done with when it has been read: substitutes that were not needed
 * can be drawn again at once. To the job it is done with when it is handed out; only that counts in
 * {@link #state()}.
 */
final class RankEpoch implements LoadedEpoch, UpcomingItems.Order {
  private static final Logger LOG = LoggerFactory.getLogger(RankEpoch.class);
  private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long COMPLAIN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long GIVE_UP_AFTER_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final LoaderConfig config;
  private final int number;
  private final int rank;
  private final RankSampling sampling;
  private final JobParts parts;
  private final Tally tally;
  private final LoopClock clock;
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final @Nullable UpcomingItems upcoming;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All below guarded by the lock.
  private final RankDraws draws;
  private final ReadyBatches ready;
  private boolean closed;

  RankEpoch(LoaderConfig config, int number, int rank, JobParts parts) {
    this.config = config;
    this.number = number;
    this.rank = rank;
    this.parts = parts;
    this.tally = new Tally(parts.tally());
    this.clock = new LoopClock(tally);
    this.sampling = new RankSampling(config, rank, number);
    this.draws = new RankDraws(config, sampling, parts);
    parts.meter().begin(rank, number, draws.items());
    boolean strict = config.sampler() == SamplerKind.STRICT;
    this.ready =
        new ReadyBatches(
            strict,
            sampling
                .before()
                .map(EpochState::delivered)
                .orElseGet(() -> new long[(config.digest().itemCount() + 63) >> 6]));
    // Reading ahead of a cache that takes every miss would read twice what others insert meanwhile.
    this.upcoming =
        strict && parts.board().shared() == null ? parts.ahead().begin(this, tally) : null;
    parts.board().watch(planWatcher);
    Thread.ofVirtual().name("quiver-loader-sampler-" + rank).start(this::drawOn);
  }

  @Override
  public UpcomingItems.Look look(int most) {
    lock.lock();
    try {
      long room = closed ? 0 : config.ahead().bytes() - ready.bytesAhead();
      return new UpcomingItems.Look(IntStream.of(draws.upcoming(most)).boxed().toList(), room);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void beforeDrawn(List<Integer> items, int most, IntConsumer action) {
    lock.lock();
    try {
      Set<Integer> coming = new HashSet<>();
      IntStream.of(closed ? new int[0] : draws.upcoming(most)).forEach(coming::add);
      items.stream().filter(coming::contains).forEach(action::accept);
    } finally {
      lock.unlock();
    }
  }

  private void planned(JobPlan plan) {
    signal();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void drawOn() {
    lock.lock();
    try {
      while (!closed && !draws.allRead()) {
        if (!drawOne()) {
          changed.awaitNanos(LONGEST_NAP_NANOS);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("the sampler of rank {} was interrupted", rank);
    } catch (RuntimeException e) {
      LOG.error("the sampler of rank {} failed", rank, e);
      ready.fail(e);
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Draws one batch and has it read, unless something speaks against it now. */
  private boolean drawOne() {
    int ahead = draws.beingRead() + ready.size();
    if (ahead >= config.ahead().batches()
        || (ahead > 0 && ready.bytesAhead() >= config.ahead().bytes())) {
      return false;
    }
    Optional<Draw> draw = draws.next(System.nanoTime());
    draw.ifPresent(this::read);
    return draw.isPresent();
  }

  private void read(Draw draw) {
    long bytes = draws.expectedBytes(draw);
    long turn = ready.expect(bytes);
    boolean probed = parts.meter().probesNext(rank);
    Thread.ofVirtual()
        .name("quiver-loader-batch")
        .start(() -> settle(draw, turn, readNow(draw, bytes, probed)));
    if (upcoming != null) {
      upcoming.moveOn();
    }
  }

  private Outcome readNow(Draw draw, long bytes, boolean probed) {
    long start = System.nanoTime();
    try {
      ReadBatch batch = parts.assembler().assemble(number, draw, probed, tally, this::isClosed);
      batch.padWith(sampling.paddingItem());
      return new Outcome(bytes, batch, null);
    } catch (RuntimeException e) {
      return new Outcome(bytes, null, e);
    } finally {
      tally.add(Tally.Of.FETCH_NANOS, System.nanoTime() - start);
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

  private void settle(Draw draw, long turn, Outcome outcome) {
    lock.lock();
    try {
      draws.settle(draw, outcome.items());
      if (!closed) {
        ready.put(turn, outcome);
        draws.noteDrained();
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    ReadBatch batch = outcome.batch();
    if (batch != null) {
      batch.close();
    }
  }

  /** For each chunk, the items yet to be read; null while counts refer to another division. */
  int @Nullable [] remaining(int inChunks) {
    lock.lock();
    try {
      if (inChunks != draws.chunks()) {
        return null;
      }
      return closed ? new int[inChunks] : draws.remaining();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Batch> next() {
    clock.asked(System.nanoTime());
    Outcome outcome = take();
    if (outcome == null) {
      return Optional.empty();
    }
    ReadBatch batch = outcome.batch();
    RuntimeException failure = outcome.failure();
    if (batch == null) {
      String reason =
          failure == null ? "a batch was not read" : String.valueOf(failure.getMessage());
      throw new LoadException("epoch " + number + ": " + reason, failure);
    }
    handOut(batch);
    return Optional.of(batch);
  }

  private void handOut(ReadBatch batch) {
    tally.count(Tally.Of.BATCHES);
    tally.add(Tally.Of.ITEMS, batch.size());
    tally.add(Tally.Of.BYTES, batch.totalBytes());
    tally.add(Tally.Of.HITS, batch.count(ItemSource.CACHE));
    tally.add(Tally.Of.COOPERATIVE, batch.count(ItemSource.COOPERATIVE));
    tally.add(Tally.Of.SUBSTITUTED, batch.substituted());
    long now = System.nanoTime();
    LoopClock.Interval interval = clock.answered(now, batch.size());
    parts
        .meter()
        .delivered(
            rank,
            new Delivery(
                batch.size(), interval.nanos(), interval.waited(), batch.supply(), batch.probed()),
            now);
    config.listener().delivered(number, rank, batch.items());
  }

  /** Waits for the next batch; null at the end. */
  private @Nullable Outcome take() {
    long begin = System.nanoTime();
    boolean complained = false;
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new IllegalStateException("epoch " + number + " of rank " + rank + " is closed");
        }
        Outcome next = ready.take();
        if (next != null || (ready.isEmpty() && draws.allRead())) {
          changed.signalAll();
          return next;
        }
        complained = judgeWait(System.nanoTime() - begin, complained);
        changed.awaitNanos(TimeUnit.SECONDS.toNanos(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException("interrupted while waiting for a batch of epoch " + number, e);
    } finally {
      lock.unlock();
    }
  }

  /** Says once that a batch takes long, and ends the wait when it takes too long. */
  private boolean judgeWait(long waited, boolean complained) {
    if (waited > GIVE_UP_AFTER_NANOS) {
      throw new LoadException(waiting(waited), null);
    }
    if (waited > COMPLAIN_AFTER_NANOS && !complained) {
      LOG.warn("{}", waiting(waited));
      return true;
    }
    return complained;
  }

  private String waiting(long nanos) {
    return "job "
        + config.job()
        + ", epoch "
        + number
        + ": no batch for "
        + Duration.ofNanos(nanos).toSeconds()
        + " s; "
        + draws.beingRead()
        + " are being read from the cache and "
        + config.store().uri()
        + ", "
        + draws.available()
        + " items are left to draw";
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public void transformed(Duration time) {
    clock.transformed(time.toNanos());
  }

  @Override
  public void waitedForOthers(Duration time) {
    clock.waitedForOthers(time.toNanos());
  }

  LoopClock clock() {
    return clock;
  }

  @Override
  public int items() {
    return draws.items();
  }

  @Override
  public EpochState state() {
    lock.lock();
    try {
      return new EpochState(config.seed(), number, config.digest().itemCount(), ready.delivered());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public LoaderStatistics statistics() {
    return tally.statistics();
  }

  @Override
  public void close() {
    parts.board().unwatch(planWatcher);
    lock.lock();
    try {
      closed = true;
      ready.discard();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (upcoming != null) {
      upcoming.close();
    }
  }
}
