package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.client.GetRequest;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The items of one batch that have to be read from wherever they can be had. Items of held chunks
 * are shared with the other jobs: the cache says who fetches each (Quiver, §4.4); who is told to
 * wait looks again until the item is there or its claim has lapsed. All others come straight from
 * the store.
 */
final class MissingItems {
  /** Which space an item belongs to; null for none. */
  @FunctionalInterface
  interface Spaces {
    @Nullable SpaceId of(int item);
  }

  /** Longer than any claim holds: then the other job's fetch has failed twice. */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(11).toNanos();

  private static final long FIRST_PAUSE_MS = 5;
  private static final long LONGEST_PAUSE_MS = 20;

  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final Fetches fetches;
  private final Assembly assembly;
  private final BooleanSupplier given;
  private final int[] items;
  private final int firstPlace;
  private final StoreReadings readings;

  MissingItems(
      DatasetDigest digest,
      CacheAccess cache,
      Fetches fetches,
      Assembly assembly,
      Tally tally,
      BooleanSupplier given,
      int[] items,
      int firstPlace) {
    this.digest = digest;
    this.cache = cache;
    this.fetches = fetches;
    this.assembly = assembly;
    this.readings = new StoreReadings(fetches, tally);
    this.given = given;
    this.items = items;
    this.firstPlace = firstPlace;
  }

  /** All of them from the store, into the cache where they have a space. */
  void readFromStore(Spaces spaces) {
    for (int i = 0; i < items.length; i++) {
      fetch(i, spaces.of(items[i]));
    }
  }

  /** From the cache what it has; the rest from the store and into the cache. */
  void readThrough(SpaceId space) {
    List<Integer> open = all();
    if (open.isEmpty()) {
      return;
    }
    BlobAnswer answer = cache.get(GetRequest.all(open.stream().map(this::hash).toList()));
    boolean failing = answer == null || !answer.failures().isEmpty();
    for (int index : takeHits(answer, open, ItemSource.CACHE)) {
      fetch(index, failing ? null : space);
    }
  }

  /** Held items together with the other jobs, others from the store. */
  void readPlanned(Spaces spaces) {
    List<Integer> shared = new ArrayList<>();
    for (int i = 0; i < items.length; i++) {
      if (spaces.of(items[i]) == null) {
        fetch(i, null);
      } else {
        shared.add(i);
      }
    }
    share(shared, spaces);
  }

  private void share(List<Integer> shared, Spaces spaces) {
    List<Integer> open = joinOwn(shared);
    ItemSource source = ItemSource.CACHE;
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long pause = FIRST_PAUSE_MS;
    while (!open.isEmpty()) {
      open = ask(open, spaces, source);
      if (open.isEmpty()) {
        return;
      }
      requireWanted();
      if (System.nanoTime() - deadline > 0) {
        open.forEach(index -> fetch(index, null));
        return;
      }
      pause(pause);
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
      source = ItemSource.COOPERATIVE;
      open = joinOwn(open);
    }
  }

  /** What this process is reading anyway is waited for; the rest is returned. */
  private List<Integer> joinOwn(List<Integer> indices) {
    return indices.stream()
        .filter(index -> !readings.join(items[index], firstPlace + index))
        .toList();
  }

  /** Asks for these, claiming what is missing; returns what another job is fetching. */
  private List<Integer> ask(List<Integer> open, Spaces spaces, ItemSource source) {
    long askedAt = System.nanoTime();
    BlobAnswer answer =
        cache.get(GetRequest.all(open.stream().map(this::hash).toList()).claiming());
    if (answer == null) {
      open.forEach(index -> fetch(index, null));
      return List.of();
    }
    boolean failing = !answer.failures().isEmpty();
    List<Integer> later = new ArrayList<>();
    List<AskStatus> statuses = statuses(answer);
    takeHits(answer, open, source);
    for (int i = 0; i < open.size(); i++) {
      int index = open.get(i);
      switch (statuses.get(i)) {
        case HIT -> {}
        case YOURS -> {
          if (fetches.insertedSince(items[index], askedAt)) {
            later.add(index);
          } else {
            fetch(index, spaces.of(items[index]));
          }
        }
        case MISS -> fetch(index, failing ? null : spaces.of(items[index]));
        case PENDING, DEFERRED, SKIPPED -> later.add(index);
      }
    }
    return later;
  }

  private static List<AskStatus> statuses(BlobAnswer answer) {
    List<AskStatus> statuses = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      statuses.add(answer.status(i));
    }
    return statuses;
  }

  /** Puts hits in their places and returns the others. */
  private List<Integer> takeHits(
      @Nullable BlobAnswer answer, List<Integer> open, ItemSource source) {
    if (answer == null) {
      return open;
    }
    assembly.keep(answer, answer.hits() > 0);
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      int index = open.get(i);
      if (answer.status(i) == AskStatus.HIT) {
        assembly.put(firstPlace + index, items[index], answer.bytes(i), source);
        readings.notNeeded(items[index]);
      } else {
        rest.add(index);
      }
    }
    return rest;
  }

  private void fetch(int index, @Nullable SpaceId space) {
    readings.fetch(items[index], firstPlace + index, space);
  }

  /** Waits for everything that is being read from the store. */
  void await() {
    readings.await(assembly);
  }

  private List<Integer> all() {
    List<Integer> indices = new ArrayList<>();
    for (int i = 0; i < items.length; i++) {
      indices.add(i);
    }
    return indices;
  }

  private ContentHash hash(int index) {
    return digest.hash(items[index]);
  }

  private void requireWanted() {
    if (given.getAsBoolean()) {
      throw new LoadException("the epoch was closed", null);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException("interrupted while another job fetches", e);
    }
  }
}
