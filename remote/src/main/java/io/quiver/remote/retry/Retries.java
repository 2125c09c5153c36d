package io.quiver.remote.retry;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats failed attempts as the policy and the store's budget allow. */
public final class Retries {
  private static final Logger log = LoggerFactory.getLogger(Retries.class);

  /** A call that may fail and be repeated. */
  public interface Attempt<T> {
    T run() throws IOException;
  }

  /** Waits; passed in so that a close can end a wait early and tests run in virtual time. */
  @FunctionalInterface
  public interface Pause {
    /** Waits this long; may return early when there is nothing left to wait for. */
    void pause(long nanos) throws InterruptedException;
  }

  private final RetryPolicy policy;
  private final RetryBudget budget;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;
  private final Pause pause;

  Retries(
      RetryPolicy policy,
      RetryBudget budget,
      LongSupplier nanoTime,
      RandomGenerator random,
      Pause pause) {
    this.policy = policy;
    this.budget = budget;
    this.nanoTime = nanoTime;
    this.random = random;
    this.pause = pause;
  }

  /** Runs an attempt until it succeeds or must be given up. */
  <T> T call(String what, Attempt<T> attempt) throws IOException {
    return begin(what).run(attempt);
  }

  /** Starts the clock and the count of one call. */
  Session begin(String what) {
    return new Session(what);
  }

  /** One call: its failures so far and when it began. */
  final class Session {
    private final String what;
    private long began = nanoTime.getAsLong();
    private int failures;

    private Session(String what) {
      this.what = what;
    }

    <T> T run(Attempt<T> attempt) throws IOException {
      while (true) {
        try {
          T result = attempt.run();
          budget.succeeded();
          return result;
        } catch (TransientFailure failure) {
          failed(failure);
        }
      }
    }

    /** Waits before the next attempt, or throws if there is none left. */
    void failed(TransientFailure failure) throws IOException {
      failures++;
      switch (policy.decide(failures, elapsed(), failure.asked(), random)) {
        case RetryPolicy.GiveUp stop -> throw givenUp(failure, stop.reason());
        case RetryPolicy.Retry again -> {
          if (!budget.take()) {
            throw givenUp(failure, "the store's budget of retries is used up: it fails too often");
          }
          log.debug("{}: {}; again in {}", what, failure.getMessage(), again.delay());
          await(again.delay());
        }
      }
    }

    /** Starts clock and count anew: what was asked for before has been delivered. */
    void renew() {
      failures = 0;
      began = nanoTime.getAsLong();
    }

    /** Fails a call that is alive but takes too long. */
    void checkDeadline() throws IOException {
      if (elapsed().compareTo(policy.deadline()) > 0) {
        throw new IOException(
            what
                + " was not finished within "
                + policy.deadline()
                + "; raise the call timeout or read smaller parts");
      }
    }

    private Duration elapsed() {
      return Duration.ofNanos(nanoTime.getAsLong() - began);
    }

    private IOException givenUp(TransientFailure failure, String reason) {
      return new IOException(
          what
              + " failed: "
              + failure.getMessage()
              + "; gave up after "
              + failures
              + (failures == 1 ? " attempt: " : " attempts: ")
              + reason,
          failure);
    }

    private void await(Duration wait) throws IOException {
      try {
        pause.pause(wait.toNanos());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        InterruptedIOException stopped =
            new InterruptedIOException(what + " was interrupted while waiting to try again");
        stopped.initCause(interrupted);
        throw stopped;
      }
    }
  }
}
