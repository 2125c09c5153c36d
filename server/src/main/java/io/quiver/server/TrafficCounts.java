package io.quiver.server;

import io.quiver.http.Exchange;
import io.quiver.http.TrafficListener;
import io.quiver.server.metrics.Endpoint;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;

/** Counts what the connections do. */
final class TrafficCounts implements TrafficListener {
  private final ServerMetrics metrics;

  TrafficCounts(ServerMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public void asked() {
    metrics.begin();
  }

  @Override
  public void answered(
      Exchange exchange, int status, long receivedBytes, long sentBytes, long nanos) {
    metrics.end(Endpoint.of(exchange.route()), status, nanos);
    metrics.add(ServerCounter.RECEIVED_BYTES, receivedBytes);
    metrics.add(ServerCounter.SENT_BYTES, sentBytes);
    if (status == 429) {
      metrics.count(ServerCounter.OVER_BUDGET);
    }
  }

  @Override
  public void malformed(int status) {
    metrics.count(ServerCounter.REQUESTS_MALFORMED);
  }

  @Override
  public void accepted() {
    metrics.count(ServerCounter.CONNECTIONS_ACCEPTED);
  }

  @Override
  public void turnedAway() {
    metrics.count(ServerCounter.CONNECTIONS_TURNED_AWAY);
  }

  @Override
  public void cut() {
    metrics.count(ServerCounter.CONNECTIONS_CUT);
  }
}
