package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.util.Objects;

/**
 * Anything bytes pass through one after another at a certain rate: a network card, a disk, a
 * store's front door. Demand goes before background, and within a priority who came first goes
 * first. Bytes pass in slices, and the choice is made anew after each, so that background delays
 * demand by a slice at most.
 */
public final class Link implements Handler {
  /** How many bytes pass before the link looks who is next. */
  public static final long SLICE_BYTES = 4_000_000;

  private static final double NANOS = 1e9;

  private final Engine engine;
  private final String name;
  private final double bytesPerSecond;
  private final long latencyNanos;
  private final SliceQueue demand = new SliceQueue();
  private final SliceQueue background = new SliceQueue();
  private boolean busy;
  private boolean servesDemand;
  private long sliceBytes;
  private double roundingNanos;
  private long busyNanos;
  private long passedBytes;

  /**
   * A link that nothing waits at.
   *
   * @param bytesPerSecond more than none; infinity for a link that never holds anybody up
   * @param latencyNanos how long the last byte is on its way after it has passed
   */
  public Link(Engine engine, String name, double bytesPerSecond, long latencyNanos) {
    if (!(bytesPerSecond > 0) || latencyNanos < 0) {
      throw new IllegalArgumentException(
          "link " + name + " with " + bytesPerSecond + " bytes/s and " + latencyNanos + " ns");
    }
    this.engine = engine;
    this.name = name;
    this.bytesPerSecond = bytesPerSecond;
    this.latencyNanos = latencyNanos;
  }

  long latencyNanos() {
    return latencyNanos;
  }

  /** How many bytes have passed. */
  public long passedBytes() {
    return passedBytes;
  }

  /** For how long bytes were passing. */
  public long busyNanos() {
    return busyNanos;
  }

  /** Takes a part of a transfer. */
  void offer(Transfer transfer, int stage, long bytes) {
    SliceQueue queue = transfer.priority() == Priority.DEMAND ? demand : background;
    queue.add(transfer, stage, bytes);
    if (!busy) {
      serve();
    }
  }

  private void serve() {
    if (demand.isEmpty() && background.isEmpty()) {
      return;
    }
    servesDemand = !demand.isEmpty();
    sliceBytes = Math.min(SLICE_BYTES, queue().firstBytes());
    double exact = sliceBytes / bytesPerSecond * NANOS + roundingNanos;
    long nanos = (long) exact;
    roundingNanos = exact - nanos;
    busy = true;
    busyNanos += nanos;
    engine.after(nanos, this, 0);
  }

  private SliceQueue queue() {
    return servesDemand ? demand : background;
  }

  /** A slice has passed. */
  @Override
  public void happen(long what) {
    SliceQueue queue = queue();
    Transfer transfer = Objects.requireNonNull(queue.firstTransfer());
    int stage = queue.firstStage();
    long bytes = sliceBytes;
    queue.served(bytes);
    passedBytes += bytes;
    busy = false;
    serve();
    transfer.passed(stage, bytes);
  }

  @Override
  public String toString() {
    return name;
  }
}
