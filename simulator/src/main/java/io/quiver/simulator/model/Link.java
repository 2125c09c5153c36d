package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.util.Objects;

/**
 * Anything bytes pass through one after another at a certain rate: a network card, a disk, a
 * store's front door. Demand goes before background, which gets every sixteenth slice; within a
 * priority, first come, first served. Bytes pass in slices, and the choice is made anew after each,
 * so that background delays demand by a slice at most.
 */
public final class Link implements Handler {
  /** Fewest bytes that pass before the link chooses again. */
  public static final long SLICE_BYTES = 4_000_000;

  /** Time of a slice on links so fast that more bytes pass in it. */
  private static final double SLICE_SECONDS = 0.005;

  /** As in the loader's gate, every sixteenth slice is background's if any waits. */
  private static final int BACKGROUND_EVERY = 16;

  private static final double NANOS = 1e9;

  private final Engine engine;
  private final String name;
  private final double bytesPerSecond;
  private final long latencyNanos;
  private final long longestSlice;
  private final SliceQueue demand = new SliceQueue();
  private final SliceQueue background = new SliceQueue();
  private boolean busy;
  private boolean servesDemand;
  private int sinceBackground;
  private long sliceBytes;
  private double roundingNanos;
  private long busyNanos;
  private long passedBytes;

  /**
   * Makes a link that nothing waits at.
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
    this.longestSlice = Math.max(SLICE_BYTES, (long) (bytesPerSecond * SLICE_SECONDS));
  }

  long latencyNanos() {
    return latencyNanos;
  }

  /** Returns the bytes that have passed. */
  public long passedBytes() {
    return passedBytes;
  }

  /** Returns the time in which bytes were passing. */
  public long busyNanos() {
    return busyNanos;
  }

  /** Takes a part of a transfer. */
  void offer(Transfer transfer, int stage, long bytes) {
    SliceQueue queue = transfer.priority() == Transfer.Priority.DEMAND ? demand : background;
    queue.add(transfer, stage, bytes);
    if (!busy) {
      serve();
    }
  }

  /** Moves the waiting slices of a transfer that has become urgent to the urgent ones. */
  void promote(Transfer transfer) {
    background.move(transfer, busy && !servesDemand, demand);
  }

  private void serve() {
    if (demand.isEmpty() && background.isEmpty()) {
      return;
    }
    boolean overdue = !background.isEmpty() && sinceBackground >= BACKGROUND_EVERY - 1;
    servesDemand = !demand.isEmpty() && !overdue;
    sinceBackground = servesDemand ? sinceBackground + 1 : 0;
    sliceBytes = Math.min(longestSlice, queue().firstBytes());
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

  /** Ends a slice. */
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
