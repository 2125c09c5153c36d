package io.quiver.client.loader;

import io.quiver.client.Lookup;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shares the loading of chunks among jobs through the cache's claims: looks where items are, claims
 * as many missing ones as may be under way and fetches those. A bound on what one job claims leaves
 * the rest to the others.
 */
final class ChunkClaims {
  private static final int LOOK = 256;

  /** How many times as many as are claimed at once may be under way. */
  private static final int WINDOW = 3;

  /** How soon what others fetch is looked for again. */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  private static final long LOOK_AGAIN_EACH_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** After so long without any progress, what others fetch is claimed anew. */
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final Fetches fetches;
  private final Tally tally;
  private final int atOnce;
  private final Semaphore slots;
  private final Runnable ended;

  /**
   * Claims of one job.
   *
   * @param atOnce how many items are claimed at once
   * @param ended called when a fetch has ended
   */
  ChunkClaims(
      DatasetDigest digest,
      CacheAccess cache,
      Fetches fetches,
      Tally tally,
      int atOnce,
      Runnable ended) {
    this.digest = digest;
    this.cache = cache;
    this.fetches = fetches;
    this.tally = tally;
    this.atOnce = atOnce;
    this.slots = new Semaphore(WINDOW * atOnce);
    this.ended = ended;
  }

  /** Brings a chunk on as far as it goes without waiting; says whether the cache answered. */
  boolean advance(ChunkLoad load, SpaceId space) {
    boolean answers = true;
    while (answers
        && slots.availablePermits() >= atOnce
        && (load.hasMissing() || load.hasUnseen())) {
      answers = load.hasMissing() ? claim(load, space) : look(load);
    }
    long now = System.nanoTime();
    if (answers && load.awaited() > 0 && load.sinceLook(now) >= lookAgainNanos(load)) {
      answers = lookAgain(load, now);
    }
    return answers;
  }

  /** How long to wait at most before this chunk is brought on again: less for the last few. */
  long lookAgainNanos(ChunkLoad load) {
    int awaited = load.awaited();
    return awaited == 0 ? STUCK_NANOS : LOOK_AGAIN_NANOS + awaited * LOOK_AGAIN_EACH_NANOS;
  }

  /** Looks for members nobody has looked for. */
  private boolean look(ChunkLoad load) {
    int[] members = load.unseen(LOOK);
    Lookup lookup = ask(members, false);
    if (lookup == null) {
      return false;
    }
    load.seen(members.length, absent(members, lookup), System.nanoTime());
    return lookup.failures().isEmpty();
  }

  private boolean lookAgain(ChunkLoad load, long now) {
    if (load.stillNanos(now) > STUCK_NANOS) {
      load.reclaim(now);
      return true;
    }
    int[] members = load.takeElsewhere(LOOK, now);
    Lookup lookup = ask(members, false);
    List<Integer> absent =
        lookup == null ? IntStream.of(members).boxed().toList() : absent(members, lookup);
    load.stillElsewhere(absent);
    if (absent.size() < members.length) {
      load.moved(now);
    }
    return lookup != null && lookup.failures().isEmpty();
  }

  private static List<Integer> absent(int[] members, Lookup lookup) {
    List<Integer> absent = new ArrayList<>();
    for (int i = 0; i < members.length; i++) {
      if (lookup.status(i) != AskStatus.HIT) {
        absent.add(members[i]);
      }
    }
    return absent;
  }

  /** Claims missing members and fetches what falls to this job. */
  private boolean claim(ChunkLoad load, SpaceId space) {
    int[] members = load.takeMissing(atOnce);
    long askedAt = System.nanoTime();
    Lookup lookup = ask(members, true);
    boolean answers = lookup != null && lookup.failures().isEmpty();
    for (int i = 0; i < members.length; i++) {
      AskStatus status = lookup == null ? AskStatus.PENDING : lookup.status(i);
      if (status == AskStatus.YOURS || (status == AskStatus.MISS && answers)) {
        fetch(load, members[i], space, askedAt);
      } else if (status != AskStatus.HIT) {
        load.leave(members[i]);
      }
    }
    return answers;
  }

  /** The answer; null when there is nobody to ask. */
  private @Nullable Lookup ask(int[] members, boolean claim) {
    return cache.lookup(IntStream.of(members).mapToObj(digest::hash).toList(), claim);
  }

  private void fetch(ChunkLoad load, int item, SpaceId space, long askedAt) {
    slots.acquireUninterruptibly();
    load.fetching(System.nanoTime());
    Thread.ofVirtual()
        .name("quiver-loader-preload-fetch")
        .start(() -> fetches.preload(item, space, tally, askedAt, end -> ended(load, item, end)));
  }

  /** Waits for what was claimed to be in the cache, so that nobody waits for it in vain. */
  void settle(Duration longest) {
    try {
      if (slots.tryAcquire(WINDOW * atOnce, longest.toNanos(), TimeUnit.NANOSECONDS)) {
        slots.release(WINDOW * atOnce);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ended(ChunkLoad load, int item, Fetches.End end) {
    slots.release();
    if (end == Fetches.End.FAILED) {
      load.failed(item);
    } else {
      load.fetched(System.nanoTime());
    }
    ended.run();
  }
}
