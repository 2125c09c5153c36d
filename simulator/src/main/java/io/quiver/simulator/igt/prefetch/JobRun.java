package io.quiver.simulator.igt.prefetch;

import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.simulator.igt.prefetch.Prefetcher.Asked;
import io.quiver.simulator.igt.prefetch.Prefetcher.Fetcher;
import io.quiver.simulator.keep.Evicting;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One program that reads through a cache from the store, in virtual time. What is read goes into
 * the cache, whoever wanted it.
 */
public final class JobRun {
  /** Most bytes on their way ahead of programs: the memory of a door. */
  private static final long MOST_AHEAD_BYTES = 1L << 30;

  /** Most blocks on their way that only fill the cache. */
  private static final int MOST_FILLS = 4;

  /** The store counts as idle so long after the last block that was read for a program. */
  private static final long QUIET_NANOS = 50_000_000;

  private static final long CACHE_NANOS = 500_000;
  private static final long TICK_NANOS = 50_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ReadJob job;
  private final Evicting cache;
  private final Prefetcher prefetcher;
  private final SlowStore store = new SlowStore();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
  private final Map<Long, Long> arrivals = new HashMap<>();
  private final Set<Long> unread = new HashSet<>();
  private final Fetcher fetcher = new StoreFetcher();
  private long now;
  private long numbered;
  private int next;
  private int running;
  private int waiting;
  private long aheadBytes;
  private int fills;
  private long busyUntil;
  private long hits;
  private long late;
  private long fetchedAhead;
  private long end;

  /**
   * The result of a job.
   *
   * @param seconds how long it took
   * @param hitRatio share of its reads that the cache answered
   * @param lateShare share of its reads that waited for a block on its way
   * @param fetchedAhead blocks that were read ahead
   * @param wasted blocks of these that the job never read
   * @param storeBytes bytes that the store delivered
   */
  public record Result(
      double seconds,
      double hitRatio,
      double lateShare,
      long fetchedAhead,
      long wasted,
      long storeBytes) {}

  /**
   * Something that happens at a time.
   *
   * @param number orders what happens at the same time
   */
  private record Event(long nanos, long number, Runnable happening) {}

  /** Prepares a run; the cache is empty or as another job has left it. */
  JobRun(ReadJob job, Evicting cache, Prefetcher prefetcher) {
    this.job = job;
    this.cache = cache;
    this.prefetcher = prefetcher;
  }

  /** Runs a job without reading ahead. */
  public static Result of(ReadJob job, Evicting cache) {
    return new JobRun(job, cache, Prefetcher.NONE).run();
  }

  /** Runs the job to its end. */
  Result run() {
    for (int reader = 0; reader < job.readers(); reader++) {
      int number = reader;
      at(0, () -> want(number));
      running++;
    }
    if (prefetcher.ticks()) {
      at(TICK_NANOS, this::tick);
    }
    while (running > 0) {
      Event event = events.remove();
      now = event.nanos;
      event.happening.run();
    }
    double reads = Math.max(1, job.reads());
    return new Result(
        end / NANOS_PER_SECOND,
        hits / reads,
        late / reads,
        fetchedAhead,
        unread.size(),
        store.bytes());
  }

  private void at(long nanos, Runnable happening) {
    events.add(new Event(nanos, numbered++, happening));
  }

  private void tick() {
    prefetcher.tick(fetcher);
    at(now + TICK_NANOS, this::tick);
  }

  /** Lets a reader ask for its next block. */
  private void want(int reader) {
    if (next == job.reads()) {
      running--;
      end = Math.max(end, now);
      return;
    }
    int place = next++;
    Asked read = new Asked(job.file()[place], job.block()[place], reader);
    long key = StoredFiles.key(read.file(), read.block());
    unread.remove(key);
    long asked = now;
    if (cache.holds(key)) {
      hits++;
      cache.read(key, bytes(read));
      at(now + CACHE_NANOS, () -> has(read, false, asked));
    } else {
      @Nullable Long onItsWay = arrivals.get(key);
      late += onItsWay == null ? 0 : 1;
      waiting++;
      long arrival = onItsWay == null ? fetch(read.file(), read.block(), () -> {}) : onItsWay;
      busyUntil = Math.max(busyUntil, arrival + QUIET_NANOS);
      at(
          arrival,
          () -> {
            waiting--;
            has(read, true, asked);
          });
    }
    prefetcher.asked(read, fetcher);
  }

  private int bytes(Asked read) {
    return job.files().bytes(read.file(), read.block());
  }

  private void has(Asked read, boolean waited, long asked) {
    prefetcher.read(read, waited, now - asked, fetcher);
    at(now + job.thinkNanos(), () -> want(read.reader()));
  }

  /** Begins to read a block from the store; returns when it is here. */
  private long fetch(int file, int block, Runnable arrived) {
    long key = StoredFiles.key(file, block);
    int length = job.files().bytes(file, block);
    long arrival = store.read(now, length);
    arrivals.put(key, arrival);
    at(
        arrival,
        () -> {
          arrivals.remove(key);
          cache.read(key, length);
          arrived.run();
        });
    return arrival;
  }

  /** Reads blocks that no program has asked for. */
  private final class StoreFetcher implements Fetcher {
    @Override
    public long now() {
      return now;
    }

    @Override
    public Outcome ahead(int file, int block) {
      return begin(
          file,
          block,
          aheadBytes < MOST_AHEAD_BYTES,
          () -> {
            int length = job.files().bytes(file, block);
            aheadBytes += length;
            long arrival = fetch(file, block, () -> aheadBytes -= length);
            busyUntil = Math.max(busyUntil, arrival + QUIET_NANOS);
          });
    }

    @Override
    public int fillRoom() {
      return waiting == 0 && aheadBytes == 0 && now >= busyUntil ? MOST_FILLS - fills : 0;
    }

    @Override
    public Outcome fill(int file, int block) {
      return begin(
          file,
          block,
          fillRoom() > 0,
          () -> {
            fills++;
            long _ = fetch(file, block, this::filled);
          });
    }

    private void filled() {
      fills--;
      prefetcher.tick(this);
    }

    private Outcome begin(int file, int block, boolean allowed, Runnable begun) {
      if (file < 0 || file >= job.files().count() || block >= job.files().blocks(file)) {
        return Outcome.FAILED;
      }
      long key = StoredFiles.key(file, block);
      if (cache.holds(key) || arrivals.containsKey(key)) {
        return Outcome.HELD;
      }
      if (!allowed) {
        return Outcome.DROPPED;
      }
      fetchedAhead++;
      unread.add(key);
      begun.run();
      return Outcome.FETCHED;
    }
  }
}
