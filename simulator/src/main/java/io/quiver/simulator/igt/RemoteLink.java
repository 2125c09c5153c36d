package io.quiver.simulator.igt;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Transfer;
import io.quiver.simulator.model.Transfer.Priority;
import java.util.List;

/** The store, behind one link that all programs share (IGTCache, §5.1). */
final class RemoteLink {
  /** Bandwidth of the link: 1 Gb/s. */
  static final double BYTES_PER_SECOND = 125e6;

  /** Time that an answer of the store takes beside its bytes. */
  static final long LATENCY_NANOS = 150_000_000;

  private final Engine engine;
  private final Link link;
  private final List<Link> path;
  private long askedBytes;

  RemoteLink(Engine engine) {
    this.engine = engine;
    this.link = new Link(engine, "store", BYTES_PER_SECOND, LATENCY_NANOS);
    this.path = List.of(link);
  }

  /** Reads bytes; the handler is told when they have arrived. */
  void fetch(long bytes, Handler arrived, long what) {
    askedBytes += bytes;
    Transfer.start(engine, path, bytes, Priority.DEMAND, arrived, what);
  }

  /** Returns the bytes that were asked for. */
  long askedBytes() {
    return askedBytes;
  }

  /** Returns the bytes that have passed the link. */
  long passedBytes() {
    return link.passedBytes();
  }

  /** Returns the time in which bytes were passing. */
  long busyNanos() {
    return link.busyNanos();
  }
}
