package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.core.text.PlainDuration;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.Wire;
import io.quiver.server.keep.SpaceKeepers;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.server.plan.PlannedSpaces;
import io.quiver.server.plan.SlotFollower;
import io.quiver.server.plan.UnplannedSpaces;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Puts blobs and names into the store on a few platform threads. One connection's blobs are hashed
 * on all cores while the next are received, and many connections take no more threads than that.
 * The line is bounded by the byte budget of those who wait.
 */
public final class InsertWorkers implements AutoCloseable {
  private static final Duration STORE_WAIT = Duration.ofMinutes(2);
  private static final Duration SHUTDOWN = Duration.ofSeconds(5);

  /** The longest wait of an insert for the plan it was made for. */
  private static final Duration PLAN_WAIT = Duration.ofSeconds(1);

  private final BlobStore store;
  private final SpaceKeepers keepers;
  private final PlannedSpaces planned;
  private final SlotFollower slots;
  private final UnplannedSpaces unplanned;
  private final Claims claims;
  private final ServerMetrics metrics;
  private final int threads;
  private final ExecutorService workers;

  /** Starts this many threads. */
  public InsertWorkers(
      BlobStore store,
      SpaceKeepers keepers,
      PlannedSpaces planned,
      SlotFollower slots,
      UnplannedSpaces unplanned,
      Claims claims,
      ServerMetrics metrics,
      int threads) {
    this.store = store;
    this.keepers = keepers;
    this.planned = planned;
    this.slots = slots;
    this.unplanned = unplanned;
    this.claims = claims;
    this.metrics = metrics;
    this.threads = threads;
    this.workers =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("quiver-insert-", 0).factory());
  }

  /**
   * The sender of blobs.
   *
   * @param address where it comes from
   * @param account the counters of its job and data set
   * @param job gives priorities
   */
  record Sender(String address, Account account, RankingJob job) {}

  /** Returns the sender of a request. */
  Sender sender(Exchange exchange) throws Refusal {
    RequestNames.Caller caller = RequestNames.Caller.of(exchange);
    return new Sender(caller.address(), caller.account(metrics), RequestNames.rankingJob(exchange));
  }

  int threads() {
    return threads;
  }

  /** Waits, on the thread of the connection, for the plan that made the spaces of a request. */
  void awaitPlan(Exchange exchange, Set<SpaceId> spaces) throws IOException, Refusal {
    String field = exchange.field(Wire.PLAN_HEADER);
    if (field == null) {
      return;
    }
    try {
      planned.await(spaces, Long.parseLong(field), PLAN_WAIT);
    } catch (NumberFormatException e) {
      throw Refusal.of(
          400, "not the version of a plan: \"" + field + "\"", "send a whole number or none");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a plan");
    }
  }

  /** Runs a task on one of the threads. */
  <T> Future<T> submit(Callable<T> task) {
    return workers.submit(task);
  }

  /** Waits, within a bound, for a task that runs on one of the threads. */
  static <T> T await(Future<T> task) throws IOException {
    try {
      return task.get(STORE_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while blobs or names were being stored", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the store failed to take what it was given", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "the store took no blob and no name within " + PlainDuration.of(STORE_WAIT), e);
    }
  }

  /** Inserts one blob and ends the claim on it: it is here, or fetching it again may help. */
  Receipt insert(Offer offer, ByteBuffer content, Sender sender) {
    Receipt receipt =
        put(offer.hash(), offer.space(), sender, () -> keepers.put(offer, content, sender.job));
    if (receipt != Receipt.HASH_MISMATCH) {
      claims.resolve(offer.hash());
    }
    if (receipt == Receipt.STORED) {
      slots.inserted(offer.hash());
    }
    count(receipt, offer, sender.account);
    return receipt;
  }

  /** Binds one name and ends the claim on it. */
  Receipt bind(NameBinding binding, SpaceId space, Sender sender) {
    ContentHash key = binding.name().key();
    Receipt receipt = put(key, space, sender, () -> keepers.bind(binding, space, sender.job));
    claims.resolve(key);
    if (receipt == Receipt.STORED) {
      slots.inserted(key);
    }
    ServerCounter counter =
        receipt.here() ? ServerCounter.NAMES_BOUND : ServerCounter.NAMES_REFUSED;
    sender.account.count(counter);
    metrics.add(space, counter, 1);
    return receipt;
  }

  private Receipt put(ContentHash key, SpaceId space, Sender sender, Supplier<PutOutcome> write) {
    if (!unplanned.admits(space, sender.address)) {
      return Receipt.NO_ROOM;
    }
    if (!planned.takes(space)) {
      return Receipt.NOT_PLANNED;
    }
    PutOutcome outcome = write.get();
    if (!planned.takes(space)) {
      store.evict(key, space);
      return Receipt.NOT_PLANNED;
    }
    return switch (outcome) {
      case STORED -> Receipt.STORED;
      case ALREADY_HERE -> Receipt.ALREADY_HERE;
      case HASH_MISMATCH -> Receipt.HASH_MISMATCH;
      case TOO_LARGE -> Receipt.TOO_LARGE;
      case NO_ROOM -> Receipt.NO_ROOM;
      case DISK_FAILURE -> Receipt.DISK_FAILURE;
    };
  }

  /** Counts a blob that is not taken because it is too large. */
  Receipt refuse(Offer offer, Sender sender) {
    claims.resolve(offer.hash());
    count(Receipt.TOO_LARGE, offer, sender.account);
    return Receipt.TOO_LARGE;
  }

  private void count(Receipt receipt, Offer offer, Account account) {
    ServerCounter counter =
        switch (receipt) {
          case STORED -> ServerCounter.BLOBS_STORED;
          case ALREADY_HERE -> ServerCounter.BLOBS_ALREADY_HERE;
          default -> ServerCounter.BLOBS_REFUSED;
        };
    long stored = receipt == Receipt.STORED ? offer.length() : 0;
    account.count(counter);
    account.add(ServerCounter.STORED_BYTES, stored);
    metrics.add(offer.space(), counter, 1);
    metrics.add(offer.space(), ServerCounter.STORED_BYTES, stored);
  }

  /** Lets what has begun finish, within a bound. */
  @Override
  public void close() {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(SHUTDOWN.toNanos(), TimeUnit.NANOSECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
