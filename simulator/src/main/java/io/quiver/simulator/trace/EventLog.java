package io.quiver.simulator.trace;

import io.quiver.core.plan.Plan;
import java.util.function.Consumer;

/**
 * A line for everything that happens, and a hash over all lines: two runs with equal hashes did the
 * same. Lines are made only for those who ask; the hash is always kept.
 */
public final class EventLog implements Trace {
  private static final long PRIME = 0x100000001b3L;

  private final Consumer<String> lines;
  private final boolean wanted;
  private long hash = 0xcbf29ce484222325L;
  private long count;

  private EventLog(Consumer<String> lines, boolean wanted) {
    this.lines = lines;
    this.wanted = wanted;
  }

  /** A log that keeps the hash alone. */
  public static EventLog hashing() {
    return new EventLog(line -> {}, false);
  }

  /** A log that hands every line on as well. */
  public static EventLog to(Consumer<String> lines) {
    return new EventLog(lines, true);
  }

  /** A hash over all events so far. */
  public long hash() {
    return hash;
  }

  /** Returns the number of events. */
  public long count() {
    return count;
  }

  private void note(long now, String kind, long... values) {
    count++;
    add(now);
    add(kind.hashCode());
    for (long value : values) {
      add(value);
    }
    if (wanted) {
      StringBuilder line = new StringBuilder().append(now).append(' ').append(kind);
      for (long value : values) {
        line.append(' ').append(value);
      }
      lines.accept(line.toString());
    }
  }

  private void add(long value) {
    hash = (hash ^ value) * PRIME;
    hash ^= hash >>> 29;
  }

  @Override
  public void dataset(long now, int dataset, String name, long items, boolean named) {
    note(now, "data-set", dataset, items, named ? 1 : 0);
  }

  @Override
  public void serverStarted(long now, int server, String name, long capacityBytes) {
    note(now, "server-started", server, capacityBytes);
  }

  @Override
  public void serverGone(long now, int server) {
    note(now, "server-gone", server);
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    note(now, "job-started", job, dataset);
  }

  @Override
  public void jobEnded(long now, int job, boolean killed) {
    note(now, "job-ended", job, killed ? 1 : 0);
  }

  @Override
  public void requested(long now, int job, long request) {
    note(now, "requested", job, request);
  }

  @Override
  public void answered(long now, int job, long request) {
    note(now, "answered", job, request);
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    long together = 0;
    for (int item : items) {
      together = 31 * together + item;
    }
    note(now, "delivered", job, epoch, items.length, together, stallNanos);
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    note(now, "epoch-ended", job, epoch);
  }

  @Override
  public void hits(long now, int job, int items, long bytes) {
    note(now, "hits", job, items, bytes);
  }

  @Override
  public void storeRead(long now, int job, int items, long bytes, boolean demand) {
    note(now, "store-read", job, items, bytes, demand ? 1 : 0);
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    note(now, "stored", server, dataset, chunk, rotating ? 1 : 0, items, bytes);
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    note(now, "dropped", server, dataset, chunk, bytes);
  }

  @Override
  public void gaveUp(long now, int server, int dataset, int chunk, long bytes) {
    note(now, "gave-up", server, dataset, chunk, bytes);
  }

  @Override
  public void roleChanged(long now, int server, int dataset, int chunk, boolean rotating) {
    note(now, "role-changed", server, dataset, chunk, rotating ? 1 : 0);
  }

  @Override
  public void planned(long now, Plan plan) {
    note(now, "planned", plan.version());
  }

  @Override
  public void ended(long now) {
    note(now, "ended");
  }
}
