package io.quiver.client.loader;

import io.quiver.core.engine.EpochDraws;
import io.quiver.core.engine.ListedOrder;
import io.quiver.core.engine.ReadAheadWindow;
import io.quiver.core.engine.ReadAheadWindow.Kind;
import io.quiver.core.engine.ReadAheadWindow.Step;
import io.quiver.core.engine.ReadOrder;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.ListState;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one rank's batches of one epoch ahead of its training loop. A thread draws batches as long
 * as the bounds of reading ahead allow; each is read in a virtual thread and then waits to be
 * taken. What is drawn, and when, is decided by {@link EpochDraws} and {@link ReadAheadWindow}.
 *
 * <p>The sampler is done with an item when it has been read: substitutes that were not needed can
 * be drawn again at once. The job is done with it when it is handed out; only that counts in {@link
 * #state()}.
 */
final class RankReading implements UpcomingReader.Epoch, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RankReading.class);
  private static final long COMPLAIN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long GIVE_UP_AFTER_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final LoaderConfig config;
  private final int number;
  private final int rank;
  private final RankSampling sampling;
  private final RankEpoch.Parts parts;
  private final Tally tally;
  private final BooleanSupplier probesNext;
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final @Nullable UpcomingReader upcoming;
  private final @Nullable ImportanceEpoch importance;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All below guarded by the lock.
  private final EpochDraws<Draw, ReadOrder<Draw>> draws;
  private final ReadAheadWindow<Outcome> window;
  private final long[] delivered;
  private boolean closed;

  /** A batch that was read, or the reason why it was not. */
  private record Outcome(@Nullable ReadBatch batch, @Nullable RuntimeException failure) {
    void close() {
      if (batch != null) {
        batch.close();
      }
    }
  }

  /**
   * Begins to read.
   *
   * @param probesNext returns true if the next batch is to be supplied as a probe asks
   */
  RankReading(
      LoaderConfig config,
      int number,
      int rank,
      RankEpoch.Parts parts,
      Tally tally,
      BooleanSupplier probesNext) {
    this.config = config;
    this.number = number;
    this.rank = rank;
    this.parts = parts;
    this.tally = tally;
    this.probesNext = probesNext;
    this.sampling = new RankSampling(config, rank, number);
    JobImportance scores = parts.importance();
    this.importance = scores == null ? null : scores.begin(number);
    Optional<ListState> before = scores == null ? Optional.empty() : scores.before(number);
    this.draws =
        new EpochDraws<>(order(before), config.batch(), config.sampler() == SamplerKind.SUBSTITUTE);
    boolean strict = importance == null && config.sampler() == SamplerKind.STRICT;
    this.window =
        new ReadAheadWindow<>(
            config.ahead().batches(),
            config.ahead().bytes(),
            strict || importance != null,
            config.digest()::size);
    this.delivered =
        before
            .map(ListState::deliveredBits)
            .or(() -> sampling.before().map(EpochState::delivered))
            .orElseGet(() -> new long[(config.digest().itemCount() + 63) >> 6]);
    // Reading ahead of a cache that takes every miss would read twice what others insert meanwhile.
    this.upcoming =
        strict && parts.board().shared() == null ? parts.ahead().begin(this, tally) : null;
  }

  private ReadOrder<Draw> order(Optional<ListState> before) {
    DatasetPlan held = parts.board().held();
    return importance == null
        ? sampling.order(held == null ? 1 : held.chunks())
        : sampling.list(importance, before);
  }

  /** Begins to read. */
  void start() {
    parts.board().watch(planWatcher);
    Thread.ofVirtual().name("quiver-loader-sampler-" + rank).start(this::drawOn);
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Step decide(UpcomingReader.Decision decision, IntConsumer fetch) {
    return locked(() -> {
      Step step =
          decision.next(window, count -> closed ? new int[0] : draws.order().upcoming(count));
      if (step.kind() == Kind.FETCH) {
        step.items().forEach(fetch::accept);
      }
      return step;
    });
  }

  @Override
  public Set<Integer> asked() {
    return locked(window::asked);
  }

  /** Draws again at once, because a new plan may allow it. */
  private void planned(JobPlan plan) {
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
      window.end(window.begin(0), new Outcome(null, e));
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Draws one batch and has it read; returns false if that must wait. */
  private boolean drawOne() {
    if (!window.mayDraw()) {
      return false;
    }
    boolean reachable = parts.managerReachable().getAsBoolean();
    Draw draw = draws.next(parts.board().plan(), reachable, System.nanoTime());
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

  private void read(Draw draw) {
    long drawn = window.begin(draw);
    boolean probed = probesNext.getAsBoolean();
    ListedBatch listed =
        importance != null && draws.order() instanceof ListedOrder order
            ? new ListedBatch(importance, order.places(draw), draw)
            : null;
    Thread.ofVirtual()
        .name("quiver-loader-batch")
        .start(() -> settle(draw, drawn, readNow(draw, listed, probed)));
    if (upcoming != null) {
      upcoming.moveOn();
    }
  }

  private Outcome readNow(Draw draw, @Nullable ListedBatch listed, boolean probed) {
    long start = System.nanoTime();
    try {
      ReadBatch batch =
          listed == null
              ? parts.reader().read(number, draw, probed, tally, this::isClosed)
              : parts.reader().read(number, draw, listed, probed, tally, this::isClosed);
      batch.padWith(sampling.paddingItem());
      return new Outcome(batch, null);
    } catch (RuntimeException e) {
      return new Outcome(null, e);
    } finally {
      tally.add(Tally.Of.FETCH_NANOS, System.nanoTime() - start);
    }
  }

  private boolean isClosed() {
    return locked(() -> closed);
  }

  private void settle(Draw draw, long drawn, Outcome outcome) {
    lock.lock();
    try {
      draws.settle(draw, outcome.batch == null ? new int[0] : outcome.batch.items());
      if (!closed) {
        window.end(drawn, outcome);
        draws.noteDrained(parts.board().held());
        tell();
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    outcome.close();
  }

  /** Returns what is left of each chunk; null if the epoch is divided otherwise. */
  int @Nullable [] remaining(int inChunks) {
    return locked(() ->
        inChunks != draws.order().chunks() ? null : closed ? new int[inChunks] : draws.remaining());
  }

  /**
   * Waits for the next batch; returns null at the end of the epoch.
   *
   * @throws LoadException if it could not be read
   */
  @Nullable ReadBatch take() {
    Outcome outcome = await();
    if (outcome != null && outcome.batch == null) {
      RuntimeException failure = outcome.failure;
      String reason = failure == null ? "a batch was not read" : failure.getMessage();
      throw new LoadException("epoch " + number + ": " + reason, failure);
    }
    return outcome == null ? null : outcome.batch;
  }

  private @Nullable Outcome await() {
    long begin = System.nanoTime();
    boolean complained = false;
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new IllegalStateException("epoch " + number + " of rank " + rank + " is closed");
        }
        Outcome next = window.take();
        if (next != null || (window.isEmpty() && draws.allRead())) {
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

  /** Counts a batch in {@link #state()}: it is handed out, and whoever records that has done so. */
  void delivered(ReadBatch batch) {
    lock.lock();
    try {
      for (int place = 0; place < batch.size(); place++) {
        int at =
            importance == null || batch.isPadding(place)
                ? batch.item(place)
                : batch.places()[place];
        delivered[at >> 6] |= batch.isPadding(place) ? 0 : 1L << at;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Logs once that a batch takes long, and ends the wait when it takes too long. */
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

  /** Returns the number of items of this rank, from the beginning or resumption. */
  int items() {
    return draws.items();
  }

  /** Returns which places of the epoch's list were handed out so far. */
  ListState listState() {
    ImportanceEpoch epoch = Objects.requireNonNull(importance);
    return locked(() -> ListState.of(config.seed(), number, epoch.list(), 0, delivered.clone()));
  }

  /** Returns what was handed out so far. */
  EpochState state() {
    if (importance != null) {
      throw new IllegalStateException(
          "job " + config.job() + " reads by importance; save its importanceState()");
    }
    int items = config.digest().itemCount();
    return locked(() -> new EpochState(config.seed(), number, items, delivered.clone()));
  }

  @Override
  public void close() {
    parts.board().unwatch(planWatcher);
    lock.lock();
    try {
      closed = true;
      window.drain().forEach(Outcome::close);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (upcoming != null) {
      upcoming.close();
    }
  }
}
