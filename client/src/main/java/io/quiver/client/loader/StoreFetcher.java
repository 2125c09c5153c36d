package io.quiver.client.loader;

import io.quiver.client.Blob;
import io.quiver.client.loader.ItemReader.Fetched;
import io.quiver.client.loader.ItemSpaces.Target;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.engine.ChunkProgress.End;
import io.quiver.core.engine.ClaimPatience;
import io.quiver.core.engine.FetchLanes.Lane;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.Receipt;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads items from the store, each only once at a time in this process: who needs an item that is
 * being read, or is on its way into the cache, shares it.
 */
final class StoreFetcher {
  private final DatasetDigest digest;
  private final ItemReader reader;
  private final FetchGate gate;
  private final Inserter inserter;
  private final ConcurrentHashMap<Integer, CompletableFuture<Fetched>> underWay =
      new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, CompletableFuture<Fetched>> ahead =
      new ConcurrentHashMap<>();
  private final RecentInserts inserted = new RecentInserts();
  // Guarded by itself.
  private final ClaimPatience patience = new ClaimPatience();

  StoreFetcher(DatasetDigest digest, ItemReader reader, FetchGate gate, Inserter inserter) {
    this.digest = digest;
    this.reader = reader;
    this.gate = gate;
    this.inserter = inserter;
  }

  /** Returns the item if it is being read at this moment or was read ahead; otherwise null. */
  @Nullable CompletableFuture<Fetched> find(int item) {
    CompletableFuture<Fetched> readAhead = ahead.remove(item);
    return readAhead == null ? underWay.get(item) : readAhead;
  }

  /**
   * Reads an item that a batch will need, when nothing more urgent is to be read; it is kept until
   * somebody finds or forgets it.
   */
  void ahead(int item, @Nullable Target target, Tally tally) {
    CompletableFuture<Fetched> mine = new CompletableFuture<>();
    if (underWay.putIfAbsent(item, mine) == null) {
      ahead.put(item, mine);
      start(item, Lane.AHEAD, target, tally, mine);
      mine.exceptionally(failure -> {
        ahead.remove(item, mine);
        throw new CompletionException(failure);
      });
    }
  }

  /** Forgets an item that was read ahead and that nobody will need. */
  void forget(int item) {
    ahead.remove(item);
  }

  /** Returns true if batches wait for the store. */
  boolean demandWaits() {
    return gate.demandWaits();
  }

  /** Returns true if this process inserted an item after it asked: a claim granted is outdated. */
  boolean insertedSince(int item, long askedAt) {
    return inserted.since(item, askedAt);
  }

  /** Returns how long batches wait at this time for what other jobs have claimed. */
  long patienceNanos(long now) {
    synchronized (patience) {
      return patience.nanos(now);
    }
  }

  /** Notes that a batch has waited for what another job has claimed. */
  void waited(boolean delivered, long began, long now) {
    synchronized (patience) {
      if (delivered) {
        patience.delivered(began, now);
      } else {
        patience.inVain(began, now);
      }
    }
  }

  /**
   * Reads an item that a batch needs.
   *
   * @param target where to insert it afterwards; null for nowhere
   */
  CompletableFuture<Fetched> demand(int item, @Nullable Target target, Tally tally) {
    CompletableFuture<Fetched> readAhead = ahead.remove(item);
    if (readAhead != null) {
      return readAhead;
    }
    CompletableFuture<Fetched> mine = new CompletableFuture<>();
    CompletableFuture<Fetched> other = underWay.putIfAbsent(item, mine);
    if (other != null) {
      return other;
    }
    start(item, Lane.DEMAND, target, tally, mine);
    return mine;
  }

  private void start(
      int item, Lane lane, @Nullable Target target, Tally tally, CompletableFuture<Fetched> mine) {
    Thread.ofVirtual()
        .name("quiver-loader-fetch")
        .start(() -> {
          try {
            gate.enter(lane);
          } catch (InterruptedIOException e) {
            abandon(item, mine, new LoadException("item " + item + ": " + e.getMessage(), e));
            return;
          }
          read(item, lane, target, tally, mine, end -> {});
        });
  }

  /**
   * Brings an item into the cache when nothing more urgent is to be read.
   *
   * @param askedAt when the cache was asked for the claim
   */
  void preload(int item, SpaceId space, Tally tally, long askedAt, Consumer<End> done) {
    try {
      gate.enter(Lane.PRELOAD);
    } catch (InterruptedIOException e) {
      done.accept(End.FAILED);
      return;
    }
    CompletableFuture<Fetched> mine = new CompletableFuture<>();
    boolean here = inserted.since(item, askedAt);
    if (!here && underWay.putIfAbsent(item, mine) == null) {
      tally.count(Tally.Of.PRELOADED);
      read(item, Lane.PRELOAD, new Target(space, 0), tally, mine, done);
      return;
    }
    gate.leave(Lane.PRELOAD);
    done.accept(here ? End.HERE : End.FAILED);
  }

  private void read(
      int item,
      Lane lane,
      @Nullable Target target,
      Tally tally,
      CompletableFuture<Fetched> mine,
      Consumer<End> done) {
    Fetched fetched;
    try {
      fetched = reader.read(item);
    } catch (RuntimeException e) {
      abandon(item, mine, e);
      done.accept(End.REFUSED);
      return;
    } finally {
      gate.leave(lane);
    }
    tally.count(Tally.Of.STORE_READS);
    tally.add(Tally.Of.STORE_BYTES, fetched.bytes().remaining());
    mine.complete(fetched);
    if (target == null || !fetched.genuine()) {
      tally.add(Tally.Of.MISMATCHES, fetched.genuine() ? 0 : 1);
      underWay.remove(item, mine);
      done.accept(End.REFUSED);
      return;
    }
    Blob blob = new Blob(digest.hash(item), target.space(), fetched.bytes(), target.priority());
    insert(item, blob, mine, done);
  }

  private void insert(int item, Blob blob, CompletableFuture<Fetched> mine, Consumer<End> done) {
    inserter.offer(
        blob,
        receipt -> {
          if (receipt.filter(Receipt::here).isPresent()) {
            inserted.add(item, System.nanoTime());
          }
          underWay.remove(item, mine);
          done.accept(receipt.map(StoreFetcher::end).orElse(End.FAILED));
        });
  }

  /** Returns how an insert ended: a server that has not seen the plan may take the item soon. */
  private static End end(Receipt receipt) {
    return receipt.here() ? End.HERE : receipt == Receipt.NOT_PLANNED ? End.FAILED : End.REFUSED;
  }

  private void abandon(int item, CompletableFuture<Fetched> mine, RuntimeException failure) {
    underWay.remove(item, mine);
    mine.completeExceptionally(failure);
  }

  /**
   * Remembers what this process inserted lately. The cache may grant a claim to one thread of a job
   * while another is just inserting the item; who gets such a claim finds here that it is outdated.
   * Bounded: the oldest are forgotten.
   */
  private static final class RecentInserts {
    private static final int MOST = 8192;

    private final LinkedHashMap<Integer, Long> times = new LinkedHashMap<>();

    synchronized void add(int item, long now) {
      times.remove(item);
      times.put(item, now);
      if (times.size() > MOST) {
        times.pollFirstEntry();
      }
    }

    synchronized boolean since(int item, long askedAt) {
      Long at = times.get(item);
      return at != null && at - askedAt > 0;
    }
  }
}
