package io.quiver.store.ssd;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Adds up what the scanning threads did and tells it on, a few times a second. */
final class RecoveryMeter {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RecoveryProgress progress;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong blobs = new AtomicLong();
  private final AtomicLong told = new AtomicLong(System.nanoTime());
  private volatile long total;

  RecoveryMeter(RecoveryProgress progress) {
    this.progress = progress;
  }

  void begin(long totalBytes) {
    total = totalBytes;
    progress.update(0, totalBytes, 0);
  }

  void blob() {
    blobs.incrementAndGet();
  }

  void passed(long bytes) {
    long now = done.addAndGet(bytes);
    long last = told.get();
    long time = System.nanoTime();
    if (time - last > INTERVAL_NANOS && told.compareAndSet(last, time)) {
      progress.update(Math.min(now, total), total, blobs.get());
    }
  }

  void end() {
    progress.update(total, total, blobs.get());
  }
}
