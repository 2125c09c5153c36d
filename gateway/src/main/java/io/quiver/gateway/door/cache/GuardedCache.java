package io.quiver.gateway.door.cache;

import io.quiver.client.Blob;
import io.quiver.client.BlobAnswer;
import io.quiver.client.BlobPart;
import io.quiver.client.CacheClient;
import io.quiver.client.GetRequest;
import io.quiver.client.NamedBlocks;
import io.quiver.client.NamedBlocks.NameLookup;
import io.quiver.client.PutAnswer;
import io.quiver.client.transport.CircuitBreaker;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the cache, and leaves it alone for a while when answer after answer takes too long: a read
 * then goes to the store at once. A single server in trouble is left alone by the client already.
 */
public final class GuardedCache {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedCache.class);
  private static final Duration SHORTEST_REST = Duration.ofMillis(500);
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);

  /** So many slow answers, none of them quick in between, are not the fault of one server. */
  private static final int MOST_SLOW = 4;

  private final DoorCache cache;
  private final long slowNanos;
  private final LongSupplier nanoTime;
  private final AtomicInteger slowInARow = new AtomicInteger();
  private final CircuitBreaker breaker = new CircuitBreaker(SHORTEST_REST, LONGEST_REST);

  /**
   * Guards a cache.
   *
   * @param patience an answer that takes longer is slow
   */
  public GuardedCache(DoorCache cache, Duration patience, LongSupplier nanoTime) {
    this.cache = cache;
    this.slowNanos = patience.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Returns the cache behind this guard. */
  public DoorCache cache() {
    return cache;
  }

  /** Asks for the blob of a name; returns null if there is no answer. */
  public @Nullable NameLookup resolve(BlockName name, boolean claim) {
    return named(names -> names.resolve(List.of(name), claim));
  }

  /** Asks for a blob; returns null if there is no answer. The caller closes the answer. */
  public @Nullable BlobAnswer get(ContentHash hash, boolean claim) {
    GetRequest request = new GetRequest(List.of(hash), 1, claim, GetRequest.Verification.SAMPLED);
    return blobs(client -> client.get(request));
  }

  /** Asks for a part of a blob; returns null if there is no answer. The caller closes it. */
  public @Nullable BlobAnswer read(BlobPart part) {
    return named(names -> names.read(List.of(part)));
  }

  /** Inserts blobs; returns null if there is no answer. */
  public @Nullable PutAnswer put(List<Blob> blobs) {
    return blobs(client -> client.put(blobs, cache.plan()));
  }

  /** Binds names in a space; returns null if there is no answer. */
  public @Nullable List<Boolean> bind(SpaceId space, List<NameBinding> bindings) {
    return named(names -> names.bind(space, bindings, cache.plan()));
  }

  private <T> @Nullable T blobs(Function<CacheClient, T> call) {
    return guarded(() -> call.apply(cache.blobs()));
  }

  private <T> @Nullable T named(Function<NamedBlocks, T> call) {
    return guarded(() -> call.apply(cache.names()));
  }

  private interface Call<T> {
    T run();
  }

  private <T> @Nullable T guarded(Call<T> call) {
    long began = nanoTime.getAsLong();
    long pass = cache.usable() ? breaker.tryPass(began) : CircuitBreaker.REFUSED;
    if (pass == CircuitBreaker.REFUSED) {
      return null;
    }
    boolean answered = false;
    try {
      T answer = call.run();
      answered = true;
      return answer;
    } catch (IllegalStateException gone) {
      LOG.debug("the cache cannot be asked", gone);
      return null;
    } finally {
      settle(pass, began, answered);
    }
  }

  private void settle(long pass, long began, boolean answered) {
    long now = nanoTime.getAsLong();
    boolean slow = now - began > slowNanos;
    boolean tooMany = slow && slowInARow.incrementAndGet() >= MOST_SLOW;
    if (answered && !tooMany) {
      if (!slow) {
        slowInARow.set(0);
      }
      breaker.succeeded();
      return;
    }
    Duration rest = breaker.failed(pass, now, now - began);
    if (answered && !rest.isZero()) {
      LOG.warn(
          "the cache took {} ms for an answer; reading from the store for {} ms",
          (now - began) / 1_000_000,
          rest.toMillis());
    }
  }
}
