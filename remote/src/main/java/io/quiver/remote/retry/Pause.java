package io.quiver.remote.retry;

/** A way to wait, passed in so that waits can be cut short by a close or happen in virtual time. */
@FunctionalInterface
public interface Pause {
  /** Waits this long; may return early when there is nothing left to wait for. */
  void pause(long nanos) throws InterruptedException;
}
