package io.quiver.client.transport;

import java.util.concurrent.atomic.LongAdder;

/** Counts what goes over the wire, for all servers of a client together. */
public final class Traffic {
  private final LongAdder requests = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder connections = new LongAdder();

  void requested() {
    requests.increment();
  }

  void retried() {
    retries.increment();
  }

  void connected() {
    connections.increment();
  }

  /** Requests sent, retries included. */
  public long requests() {
    return requests.sum();
  }

  /** Requests sent again. */
  public long retries() {
    return retries.sum();
  }

  /** Connections made. */
  public long connections() {
    return connections.sum();
  }
}
