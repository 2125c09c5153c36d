package io.quiver.simulator.result;

/** Counts what a job does. */
final class JobTally {
  private static final double NANOS = 1e9;

  private final String name;
  private final int gpus;
  private final long startedAt;
  private long endedAt = -1;
  private boolean killed;
  private long batches;
  private long stallNanos;
  private long items;
  private long hits;
  private long storeItems;
  private long storeBytes;

  JobTally(String name, int gpus, long startedAt) {
    this.name = name;
    this.gpus = gpus;
    this.startedAt = startedAt;
  }

  void delivered(int count, long stall) {
    batches++;
    items += count;
    stallNanos += stall;
  }

  void hit(int count) {
    hits += count;
  }

  void readFromStore(int count, long bytes) {
    storeItems += count;
    storeBytes += bytes;
  }

  void ended(long now, boolean byForce) {
    endedAt = now;
    killed = byForce;
  }

  JobResult result(long now) {
    long end = endedAt < 0 ? now : endedAt;
    return new JobResult(
        name,
        gpus,
        startedAt / NANOS,
        (end - startedAt) / NANOS,
        batches,
        stallNanos / NANOS,
        items,
        hits,
        storeItems,
        storeBytes,
        killed);
  }
}
