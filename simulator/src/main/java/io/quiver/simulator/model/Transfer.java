package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import java.util.List;

/**
 * Bytes on their way through several links. A slice that has passed one link queues at the next
 * while the following slice passes the first, as packets do; so a long transfer takes the time of
 * its slowest link, and of a slice at each other one. It is complete the sum of the latencies after
 * its last byte has passed the last link.
 */
public final class Transfer {
  /** The priority of a transfer on a link. */
  public enum Priority {
    /** A batch waits for it. */
    DEMAND,
    /** Nobody waits yet. It goes when the link has nothing more urgent. */
    BACKGROUND
  }

  private final Engine engine;
  private final List<Link> path;
  private final Handler done;
  private final long what;
  private Priority priority;
  private long missingBytes;

  private Transfer(
      Engine engine, List<Link> path, long bytes, Priority priority, Handler done, long what) {
    this.engine = engine;
    this.path = path;
    this.priority = priority;
    this.done = done;
    this.what = what;
    this.missingBytes = bytes;
  }

  /**
   * Sends bytes on their way.
   *
   * @param path the links in order; none for bytes that are there at once
   * @param done told when all have arrived, with the number given
   * @return the transfer, which may become more urgent later
   */
  public static Transfer start(
      Engine engine, List<Link> path, long bytes, Priority priority, Handler done, long what) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a transfer of " + bytes + " bytes");
    }
    Transfer transfer = new Transfer(engine, path, bytes, priority, done, what);
    if (path.isEmpty() || bytes == 0) {
      transfer.complete();
    } else {
      path.getFirst().offer(transfer, 0, bytes);
    }
    return transfer;
  }

  /** Makes it urgent: the bytes that have not passed yet go before those nobody waits for. */
  public void promote() {
    if (priority == Priority.BACKGROUND && missingBytes > 0) {
      priority = Priority.DEMAND;
      path.forEach(link -> link.promote(this));
    }
  }

  Priority priority() {
    return priority;
  }

  /** Takes note that bytes have passed a link. */
  void passed(int stage, long bytes) {
    if (stage + 1 < path.size()) {
      path.get(stage + 1).offer(this, stage + 1, bytes);
      return;
    }
    missingBytes -= bytes;
    if (missingBytes == 0) {
      complete();
    }
  }

  private void complete() {
    long latency = 0;
    for (Link link : path) {
      latency += link.latencyNanos();
    }
    engine.after(latency, done, what);
  }
}
