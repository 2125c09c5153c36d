package io.quiver.client.loader;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.plan.DatasetPlan;
import io.quiver.core.plan.HeldChunk;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.RingPatience;
import io.quiver.core.sampling.ChunkLayout;
import io.quiver.core.sampling.Draw;
import io.quiver.core.sampling.EpochSampler;
import io.quiver.core.sampling.EpochState;
import io.quiver.core.sampling.Pace;
import io.quiver.core.sampling.Residency;
import io.quiver.core.sampling.SamplerKind;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
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
final class RankEpoch implements LoadedEpoch {
  private static final Logger LOG = LoggerFactory.getLogger(RankEpoch.class);
  private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long COMPLAIN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long GIVE_UP_AFTER_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final LoaderConfig config;
  private final DatasetDigest digest;
  private final RankSampling sampling;
  private final int number;
  private final int rank;
  private final int items;
  private final JobParts parts;
  private final Tally tally;
  private final LoopClock clock;
  private final RingPatience patience;
  private final Consumer<JobPlan> planWatcher = this::planned;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All below guarded by the lock.
  private EpochSampler sampler;
  private int chunks;
  private ChunkLayout layout;
  private final long[] delivered;
  private final Set<Draw> beingRead = Collections.newSetFromMap(new IdentityHashMap<>());
  private final TreeMap<Long, Outcome> ready = new TreeMap<>();
  private final Set<Integer> drained = new HashSet<>();
  private long nextDraw;
  private long nextTaken;
  private long bytesAhead;
  private boolean closed;

  /** A draw that has been read, or not. */
  private record Outcome(
      long bytes, @Nullable ReadBatch batch, @Nullable RuntimeException failure) {}

  RankEpoch(LoaderConfig config, int number, int rank, JobParts parts) {
    this.config = config;
    this.digest = config.digest();
    this.sampling = new RankSampling(config, rank, number);
    this.number = number;
    this.rank = rank;
    this.parts = parts;
    this.tally = new Tally(parts.tally());
    this.clock = new LoopClock(tally);
    this.patience = new RingPatience(config.batch());
    this.chunks = plannedChunks().orElse(1);
    this.layout = new ChunkLayout(digest.itemCount(), chunks);
    this.sampler = sampling.begin(chunks);
    this.items = sampler.available();
    this.delivered =
        sampling
            .before()
            .map(EpochState::delivered)
            .orElseGet(() -> new long[(digest.itemCount() + 63) >> 6]);
    parts.board().watch(planWatcher);
    Thread.ofVirtual().name("quiver-loader-sampler-" + rank).start(this::drawOn);
  }

  private Optional<Integer> plannedChunks() {
    return Optional.ofNullable(parts.board().held()).map(DatasetPlan::chunks);
  }

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
      while (!closed && !allRead()) {
        if (!drawOne()) {
          changed.awaitNanos(LONGEST_NAP_NANOS);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("the sampler of rank {} was interrupted", rank);
    } catch (RuntimeException e) {
      LOG.error("the sampler of rank {} failed", rank, e);
      ready.put(nextDraw++, new Outcome(0, null, e));
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  private boolean allRead() {
    return sampler.finished() && beingRead.isEmpty();
  }

  /** Draws one batch and has it read, unless something speaks against it now. */
  private boolean drawOne() {
    int ahead = beingRead.size() + ready.size();
    if (ahead >= config.ahead().batches()
        || (ahead > 0 && bytesAhead >= config.ahead().bytes())
        || !followDivision()) {
      return false;
    }
    JobPlan plan = parts.board().plan();
    Pace pace = plan == null ? Pace.SETS : plan.pace();
    DatasetPlan held = plan == null ? null : plan.dataset();
    if (plan == null || held == null || config.caching() != CachingMode.PLANNED) {
      return draw(Residency.NONE, pace);
    }
    return held.chunks() == chunks && !mustWait(held) && draw(held.residency(), pace);
  }

  private boolean draw(Residency residency, Pace pace) {
    Optional<Draw> draw = sampler.draw(residency, pace);
    draw.ifPresent(this::read);
    return draw.isPresent();
  }

  /**
   * Takes over the plan's number of chunks as soon as nothing is out; says whether it is in force.
   */
  private boolean followDivision() {
    int wanted = plannedChunks().orElse(chunks);
    if (wanted == chunks) {
      return true;
    }
    if (!beingRead.isEmpty()) {
      return false;
    }
    sampler = sampling.again(wanted, sampler.state());
    chunks = wanted;
    layout = new ChunkLayout(digest.itemCount(), wanted);
    drained.clear();
    parts.news().run();
    return true;
  }

  private boolean mustWait(DatasetPlan held) {
    return config.sampler() == SamplerKind.SUBSTITUTE
        && patience.waits(
            held,
            sampler,
            Math.max(1, items / chunks),
            parts.managerReachable().getAsBoolean(),
            System.nanoTime());
  }

  private void read(Draw draw) {
    long turn = nextDraw++;
    long bytes = expectedBytes(draw);
    bytesAhead += bytes;
    beingRead.add(draw);
    Thread.ofVirtual()
        .name("quiver-loader-batch")
        .start(() -> settle(draw, turn, readNow(draw, bytes)));
  }

  private long expectedBytes(Draw draw) {
    double candidates = 0;
    for (int item : draw.candidates()) {
      candidates += digest.size(item);
    }
    long sum = Math.round(candidates * draw.want() / Math.max(1, draw.candidates().length));
    for (int item : draw.fetch()) {
      sum += digest.size(item);
    }
    return sum;
  }

  private Outcome readNow(Draw draw, long bytes) {
    long start = System.nanoTime();
    try {
      ReadBatch batch = parts.assembler().assemble(number, draw, tally, this::isClosed);
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
    ReadBatch batch = outcome.batch;
    lock.lock();
    try {
      beingRead.remove(draw);
      sampler.settle(draw, batch == null ? new int[0] : batch.items());
      if (!closed) {
        ready.put(turn, outcome);
        noteDrained();
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    if (batch != null) {
      batch.close();
    }
  }

  /** A held chunk of which nothing is left to read is news for the manager. */
  private void noteDrained() {
    DatasetPlan held = parts.board().held();
    if (held == null || held.chunks() != chunks) {
      return;
    }
    int[] remaining = remainingNow();
    for (HeldChunk each : held.held()) {
      if (remaining[each.chunk()] > 0) {
        drained.remove(each.chunk());
      } else if (drained.add(each.chunk())) {
        parts.news().run();
      }
    }
  }

  /** For each chunk, the items yet to be read; null while counts refer to another division. */
  int @Nullable [] remaining(int inChunks) {
    lock.lock();
    try {
      return inChunks == chunks ? remainingNow() : null;
    } finally {
      lock.unlock();
    }
  }

  private int[] remainingNow() {
    int[] counts = new int[chunks];
    if (closed || allRead()) {
      return counts;
    }
    for (int chunk = 0; chunk < chunks; chunk++) {
      counts[chunk] = sampler.available(chunk);
    }
    for (Draw draw : beingRead) {
      count(draw.candidates(), counts);
      count(draw.fetch(), counts);
      count(draw.spare(), counts);
    }
    return counts;
  }

  private void count(int[] drawn, int[] counts) {
    for (int item : drawn) {
      counts[layout.chunkOf(item)]++;
    }
  }

  @Override
  public Optional<Batch> next() {
    clock.asked(System.nanoTime());
    Outcome outcome = take();
    if (outcome == null) {
      return Optional.empty();
    }
    ReadBatch batch = outcome.batch;
    if (batch == null) {
      throw new LoadException(
          "epoch " + number + ": " + messageOf(outcome.failure), outcome.failure);
    }
    handOut(batch);
    return Optional.of(batch);
  }

  private static String messageOf(@Nullable RuntimeException failure) {
    return failure == null ? "a batch was not read" : String.valueOf(failure.getMessage());
  }

  private void handOut(ReadBatch batch) {
    tally.count(Tally.Of.BATCHES);
    tally.add(Tally.Of.ITEMS, batch.size());
    tally.add(Tally.Of.BYTES, batch.totalBytes());
    tally.add(Tally.Of.HITS, batch.count(ItemSource.CACHE));
    tally.add(Tally.Of.COOPERATIVE, batch.count(ItemSource.COOPERATIVE));
    tally.add(Tally.Of.SUBSTITUTED, batch.substituted());
    clock.answered(System.nanoTime(), batch.size());
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
        Map.Entry<Long, Outcome> first = ready.firstEntry();
        if (first != null
            && (config.sampler() != SamplerKind.STRICT || first.getKey() == nextTaken)) {
          return taken(first);
        }
        if (first == null && allRead()) {
          return null;
        }
        long waited = System.nanoTime() - begin;
        if (waited > GIVE_UP_AFTER_NANOS) {
          throw new LoadException(waiting(waited), null);
        }
        if (waited > COMPLAIN_AFTER_NANOS && !complained) {
          complained = true;
          LOG.warn("{}", waiting(waited));
        }
        changed.awaitNanos(TimeUnit.SECONDS.toNanos(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException("interrupted while waiting for a batch of epoch " + number, e);
    } finally {
      lock.unlock();
    }
  }

  private Outcome taken(Map.Entry<Long, Outcome> first) {
    ready.remove(first.getKey());
    nextTaken = Math.max(nextTaken, first.getKey() + 1);
    bytesAhead -= first.getValue().bytes;
    ReadBatch batch = first.getValue().batch;
    if (batch != null) {
      for (int place = 0; place < batch.size(); place++) {
        int item = batch.item(place);
        delivered[item >> 6] |= batch.isPadding(place) ? 0 : 1L << item;
      }
    }
    changed.signalAll();
    return first.getValue();
  }

  private String waiting(long nanos) {
    return "job "
        + config.job()
        + ", epoch "
        + number
        + ": no batch for "
        + Duration.ofNanos(nanos).toSeconds()
        + " s; "
        + beingRead.size()
        + " are being read from the cache and "
        + config.store().uri()
        + ", "
        + sampler.available()
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
    return items;
  }

  @Override
  public EpochState state() {
    lock.lock();
    try {
      return new EpochState(config.seed(), number, digest.itemCount(), delivered.clone());
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
      ready.values().stream()
          .map(Outcome::batch)
          .filter(java.util.Objects::nonNull)
          .forEach(Batch::close);
      ready.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
