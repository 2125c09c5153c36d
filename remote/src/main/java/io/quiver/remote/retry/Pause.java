package io.quiver.remote.retry;

/** Waits; passed in so that a close can end a wait early and tests run in virtual time. */
@FunctionalInterface
public interface Pause {
  /** Waits this long; may return early when there is nothing left to wait for. */
  void pause(long nanos) throws InterruptedException;
}
