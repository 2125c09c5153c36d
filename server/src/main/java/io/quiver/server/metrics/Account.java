package io.quiver.server.metrics;

import java.util.List;

/** Counts what one request does: for the server, and for the job and the data set it names. */
public final class Account {
  private final ServerMetrics metrics;
  private final List<Tally> tallies;

  Account(ServerMetrics metrics, List<Tally> tallies) {
    this.metrics = metrics;
    this.tallies = tallies;
  }

  /** Counts one. */
  public void count(ServerCounter counter) {
    add(counter, 1);
  }

  /** Counts several. */
  public void add(ServerCounter counter, long amount) {
    if (amount != 0) {
      metrics.add(counter, amount);
      tallies.forEach(tally -> tally.add(counter, amount));
    }
  }
}
