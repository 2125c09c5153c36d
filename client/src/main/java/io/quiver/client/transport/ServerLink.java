package io.quiver.client.transport;

import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.text.PlainDuration;
import io.quiver.protocol.FrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to one server: repeats them where that is safe and may help (every call of the
 * wire contract can be repeated), and leaves a failing server alone for a while.
 */
public final class ServerLink {
  private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();
  private static final int RETRIES_IN_ADVANCE = 20;

  private final ServerEndpoint endpoint;
  private final LinkConfig config;
  private final LongSupplier nanoTime;
  private final Traffic traffic;
  private final ConnectionPool pool;
  private final Exchanger exchanger;
  private final CircuitBreaker breaker;
  private final RetryTokens budget = new RetryTokens(RETRIES_IN_ADVANCE);
  private final CountDownLatch closing = new CountDownLatch(1);
  // People are told once that the server is gone and once that it is back.
  private final AtomicBoolean toldGone = new AtomicBoolean();
  private final AtomicInteger sampled = new AtomicInteger();
  private final AtomicBoolean excluded = new AtomicBoolean();

  /**
   * Creates a link to a server; it connects when first asked.
   *
   * @param secured makes TLS sockets; needed for an encrypted endpoint only
   */
  public ServerLink(
      ServerEndpoint endpoint,
      LinkConfig config,
      @Nullable SSLSocketFactory secured,
      LongSupplier nanoTime,
      Traffic traffic) {
    this.endpoint = endpoint;
    this.config = config;
    this.nanoTime = nanoTime;
    this.traffic = traffic;
    this.pool = new ConnectionPool(endpoint, config, secured, nanoTime, traffic);
    this.exchanger = new Exchanger(endpoint, pool, traffic);
    this.breaker = new CircuitBreaker(config.shortestRest(), config.longestRest());
  }

  /** Returns the endpoint of the server. */
  public ServerEndpoint endpoint() {
    return endpoint;
  }

  /** Sends the request until it is answered, retries are used up or time is over. */
  public <T> T exchange(Request request, AnswerReader<T> reader) throws ExchangeException {
    if (excluded.get()) {
      throw forged();
    }
    long start = nanoTime.getAsLong();
    long pass = breaker.tryPass(start);
    if (pass == CircuitBreaker.REFUSED) {
      throw new ExchangeException(
          FailureKind.RESTING, "not asked: it failed a short while ago", (Throwable) null);
    }
    boolean settled = false;
    try {
      T answer = persist(request, reader);
      answered();
      settled = true;
      return answer;
    } catch (ExchangeException e) {
      settle(pass, start, e);
      settled = true;
      throw e;
    } finally {
      if (!settled) {
        breaker.withdrawn(pass);
      }
    }
  }

  private <T> T persist(Request request, AnswerReader<T> reader) throws ExchangeException {
    long deadline = nanoTime.getAsLong() + config.requestTimeout().toNanos();
    for (int attempt = 0; ; attempt++) {
      try {
        return exchanger.exchange(request, reader, deadline);
      } catch (ExchangeException e) {
        if (!e.kind().retryable() || attempt >= config.retries() || !budget.tryTake()) {
          throw e;
        }
        pause(attempt, e, deadline);
        traffic.retried();
      }
    }
  }

  /** Waits before the next attempt, or gives up when that would be too late. */
  private void pause(int attempt, ExchangeException failure, long deadline)
      throws ExchangeException {
    long growing = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(attempt, 10));
    long jittered = ThreadLocalRandom.current().nextLong(growing / 2, growing + 1);
    long wait = Math.max(jittered, failure.retryAfter().toNanos());
    if (nanoTime.getAsLong() + wait - deadline >= 0) {
      throw failure;
    }
    try {
      if (closing.await(wait, TimeUnit.NANOSECONDS)) {
        throw new ExchangeException(FailureKind.CLOSED, "the client was closed", failure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException(FailureKind.INTERRUPTED, "interrupted before a retry", e);
    }
  }

  private void answered() {
    budget.succeeded();
    back();
  }

  private void back() {
    if (breaker.succeeded() && toldGone.getAndSet(false)) {
      LOG.warn("server {} answers again", endpoint.id());
    }
  }

  private void gone(Duration rest, String reason) {
    String what =
        String.format(
            "server %s does not answer (%s); reading from the store, next try in %s",
            endpoint.id(), reason, PlainDuration.of(rest));
    if (toldGone.getAndSet(true)) {
      LOG.debug("{}", what);
    } else {
      LOG.warn("{}", what);
    }
  }

  private void settle(long pass, long start, ExchangeException e) {
    FailureKind kind = e.kind();
    if (kind.blamesServer()) {
      long now = nanoTime.getAsLong();
      Duration rest = breaker.failed(pass, now, now - start);
      if (!rest.isZero()) {
        gone(rest, String.valueOf(e.getMessage()));
      }
    } else if (kind == FailureKind.REFUSED || kind == FailureKind.BUSY) {
      back();
    } else {
      breaker.withdrawn(pass);
    }
  }

  /** Returns true if sampled verification hashes the next blob of this server. */
  public boolean samples() {
    boolean first =
        sampled.get() < ReadRules.HASHED_FIRST
            && sampled.getAndIncrement() < ReadRules.HASHED_FIRST;
    return first || ThreadLocalRandom.current().nextInt(ReadRules.HASHED_EVERY) == 0;
  }

  /** Asks this server nothing any more, because it forged a blob; returns the failure to throw. */
  public ExchangeException exclude() {
    if (!excluded.getAndSet(true)) {
      LOG.error(
          "server {} sent wrong bytes with a right checksum and is not asked any more; find out who"
              + " runs it, and let known servers only join the cluster",
          endpoint.id());
    }
    return forged();
  }

  private static ExchangeException forged() {
    return new ExchangeException(
        FailureKind.FORGED, "not asked: it sent wrong bytes", (Throwable) null);
  }

  /** Cuts late exchanges and closes idle connections; to be called often. */
  public void closeExpired(long now) {
    pool.closeExpired(now);
  }

  /** Ends exchanges under way and closes every connection. */
  public void close() {
    closing.countDown();
    pool.close();
  }

  /**
   * Settings of the link to one server.
   *
   * @param connections most connections at a time
   * @param connectTimeout longest wait for a connection
   * @param requestTimeout longest time for one exchange, retries included
   * @param idleTimeout the time an unused connection is kept
   * @param retries the most times a failed request is sent again
   * @param shortestRest the time a server is left alone after its first failure
   * @param longestRest the longest time it is left alone
   */
  public record LinkConfig(
      int connections,
      Duration connectTimeout,
      Duration requestTimeout,
      Duration idleTimeout,
      int retries,
      Duration shortestRest,
      Duration longestRest) {}

  /**
   * Reads a successful answer. It may be called again for another attempt; it releases what it
   * acquired for a failed attempt.
   *
   * @param <T> what it makes
   */
  @FunctionalInterface
  public interface AnswerReader<T> {
    /**
     * Reads the whole body.
     *
     * @param deadlineNanos when the exchange must be over
     */
    T read(ResponseHead head, Body body, long deadlineNanos)
        throws IOException, FrameException, ExchangeException, InterruptedException;
  }

  /** Reads the body of one answer once, in order. */
  public static final class Body {
    private final HttpConnection connection;
    private long left;

    Body(HttpConnection connection, long bytes) {
      this.connection = connection;
      this.left = bytes;
    }

    /** Returns the number of bytes not read yet. */
    public long left() {
      return left;
    }

    /** Fills a buffer, which must not be longer than the rest of the body. */
    public void fill(ByteBuffer target) throws IOException {
      int bytes = target.remaining();
      if (bytes > left) {
        throw new IllegalArgumentException("asked for " + bytes + " bytes of " + left);
      }
      connection.receiveBody(target);
      left -= bytes;
    }
  }

  /**
   * Bounds retries to a share of the successes, so that an overloaded cluster does not get more
   * requests than a healthy one. It starts full; every success adds a tenth of a retry.
   */
  static final class RetryTokens {
    private static final int RETRY = 10;

    private final int most;
    private int left;

    RetryTokens(int mostRetries) {
      this.most = mostRetries * RETRY;
      this.left = most;
    }

    synchronized boolean tryTake() {
      if (left < RETRY) {
        return false;
      }
      left -= RETRY;
      return true;
    }

    synchronized void succeeded() {
      left = Math.min(most, left + 1);
    }
  }
}
