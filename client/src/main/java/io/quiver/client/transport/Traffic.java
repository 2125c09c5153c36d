package io.quiver.client.transport;

import java.util.concurrent.atomic.LongAdder;

/** Counts requests and connections for all servers of a client together. */
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

  /** Returns the requests sent, retries included. */
  public long requests() {
    return requests.sum();
  }

  /** Returns the requests sent again. */
  public long retries() {
    return retries.sum();
  }

  /** Returns the connections made. */
  public long connections() {
    return connections.sum();
  }
}
