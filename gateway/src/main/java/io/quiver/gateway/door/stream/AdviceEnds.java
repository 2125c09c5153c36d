package io.quiver.gateway.door.stream;

import io.quiver.core.stream.PrefetchAdvice;

/** Hears of the end of advice that was begun. */
public interface AdviceEnds {
  /** Hears that the store has no such block, or that reading it failed. */
  void failed(PrefetchAdvice advice);

  /** Hears that a block that nobody waits for was brought, or could not be. */
  void filled();
}
