package io.quiver.gateway.door.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that passes when a test says so. */
public final class ManualClock implements LongSupplier {
  private final AtomicLong nanos = new AtomicLong(123);

  /** Lets time pass. */
  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Override
  public long getAsLong() {
    return nanos.get();
  }
}
