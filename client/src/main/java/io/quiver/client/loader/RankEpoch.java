package io.quiver.client.loader;

import io.quiver.core.engine.EpochDraws;
import io.quiver.core.engine.JobReporter;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.engine.SampledOrder;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.DatasetPlan;
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
final class RankEpoch implements LoadedEpoch, UpcomingItems.Order, JobReporter.Rank {
  private static final Logger LOG = LoggerFactory.getLogger(RankEpoch.class);
  private static final long COMPLAIN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long GIVE_UP_AFTER_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final LoaderConfig config;
  private final int number;
  private final int rank;
  private final RankSampling sampling;
  private final JobParts parts;
  private final Tally tally;
  private final RankMeter meter;
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final @Nullable UpcomingItems upcoming;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All below guarded by the lock.
  private final EpochDraws<Draw, SampledOrder> draws;
  private final ReadyBatches ready;
  private boolean closed;

  RankEpoch(LoaderConfig config, int number, int rank, JobParts parts) {
    this.config = config;
    this.number = number;
    this.rank = rank;
    this.parts = parts;
    this.tally = new Tally(parts.tally());
    this.sampling = new RankSampling(config, rank, number);
    DatasetPlan held = parts.board().held();
    this.draws =
        new EpochDraws<>(
            sampling.order(held == null ? 1 : held.chunks()),
            config.batch(),
            config.sampler() == SamplerKind.SUBSTITUTE);
    this.meter =
        new RankMeter(parts.meter(), rank - config.rank(), batchesToCome(draws.items()), tally);
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

  private long batchesToCome(int items) {
    long whole = batches(Math.ceilDiv(config.digest().itemCount(), config.ranks()));
    return batches(items) + (config.epochs() - 1L - number) * whole;
  }

  private long batches(int items) {
    return Math.ceilDiv(items, config.batch());
  }

  @Override
  public UpcomingItems.Look look(int most) {
    lock.lock();
    try {
      long room = closed ? 0 : config.ahead().bytes() - ready.bytesAhead();
      return new UpcomingItems.Look(
          IntStream.of(draws.order().upcoming(most)).boxed().toList(), room);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void beforeDrawn(List<Integer> items, int most, IntConsumer action) {
    lock.lock();
    try {
      Set<Integer> coming = new HashSet<>();
      IntStream.of(closed ? new int[0] : draws.order().upcoming(most)).forEach(coming::add);
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
          changed.awaitNanos(ReadRules.DRAW_AGAIN_AFTER.toNanos());
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
    int ahead = draws.out() + ready.size();
    if (ahead >= config.ahead().batches()
        || (ahead > 0 && ready.bytesAhead() >= config.ahead().bytes())) {
      return false;
    }
    Draw draw =
        draws.next(
            parts.board().plan(), parts.managerReachable().getAsBoolean(), System.nanoTime());
    tell();
    if (draw != null) {
      read(draw);
    }
    return draw != null;
  }

  private void tell() {
    if (draws.takeNews()) {
      parts.news().run();
    }
  }

  /** Returns about how many bytes a draw has when it is read. */
  private long expectedBytes(Draw draw) {
    double candidates = bytes(draw.candidates());
    double share = (double) draw.want() / Math.max(1, draw.candidates().length);
    return Math.round(candidates * share) + bytes(draw.fetch());
  }

  private long bytes(int[] items) {
    long sum = 0;
    for (int item : items) {
      sum += config.digest().size(item);
    }
    return sum;
  }

  private void read(Draw draw) {
    long bytes = expectedBytes(draw);
    long turn = ready.expect(bytes);
    boolean probed = meter.probesNext();
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
      ReadBatch batch = parts.reader().read(number, draw, probed, tally, this::isClosed);
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
        draws.noteDrained(parts.board().held());
        tell();
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

  @Override
  public int epoch() {
    return number;
  }

  @Override
  public double itemSeconds() {
    return meter.itemSeconds();
  }

  @Override
  public double idleSeconds(long now) {
    return meter.idleSeconds(now);
  }

  @Override
  public int @Nullable [] remaining(int inChunks) {
    lock.lock();
    try {
      if (inChunks != draws.order().chunks()) {
        return null;
      }
      return closed ? new int[inChunks] : draws.remaining();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Batch> next() {
    meter.asked(System.nanoTime());
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
    if (meter.answered(batch, System.nanoTime())) {
      parts.news().run();
    }
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
        + draws.out()
        + " are being read from the cache and "
        + config.store().uri()
        + ", "
        + draws.order().available()
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
    meter.transformed(time.toNanos());
  }

  @Override
  public void waitedForOthers(Duration time) {
    meter.waitedForOthers(time.toNanos());
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
