package io.quiver.client;

import io.quiver.client.transport.Traffic;
import io.quiver.protocol.AskStatus;
import java.util.concurrent.atomic.LongAdder;

/** Counts the events that {@link ClientStatistics} reports. */
final class ClientCounters {
  private final Traffic traffic = new Traffic();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder mismatches = new LongAdder();

  Traffic traffic() {
    return traffic;
  }

  void answered(BlobAnswer answer) {
    hits.add(answer.hits());
    bytesReceived.add(answer.hitBytes());
    misses.add(
        answer.count(AskStatus.MISS)
            + answer.count(AskStatus.YOURS)
            + answer.count(AskStatus.PENDING));
  }

  void sent(long bytes) {
    bytesSent.add(bytes);
  }

  void failed() {
    failures.increment();
  }

  void mismatched() {
    mismatches.increment();
  }

  ClientStatistics now() {
    return new ClientStatistics(
        traffic.requests(),
        hits.sum(),
        misses.sum(),
        bytesReceived.sum(),
        bytesSent.sum(),
        traffic.retries(),
        failures.sum(),
        mismatches.sum(),
        traffic.connections());
  }
}
