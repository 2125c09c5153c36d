package io.quiver.gateway.s3;

import io.quiver.gateway.door.DoorStatistics;
import io.quiver.gateway.s3.message.S3Operation;
import io.quiver.gateway.s3.store.Buckets;
import io.quiver.http.Exchange;
import io.quiver.http.TrafficListener;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the endpoint does, in Prometheus' text format. Names no bucket, key or user. */
final class GatewayMetrics implements TrafficListener {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Index 0 counts requests whose connection failed before an answer. */
  private static final int CLASSES = 6;

  private final Buckets buckets;
  private final Map<S3Operation, Counts> operations = new EnumMap<>(S3Operation.class);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder malformed = new LongAdder();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder turnedAway = new LongAdder();
  private final LongAdder cut = new LongAdder();

  private static final class Counts {
    final LongAdder[] byClass = new LongAdder[CLASSES];
    final LongAdder nanos = new LongAdder();

    Counts() {
      for (int i = 0; i < CLASSES; i++) {
        byClass[i] = new LongAdder();
      }
    }
  }

  GatewayMetrics(Buckets buckets) {
    this.buckets = buckets;
    for (S3Operation operation : S3Operation.values()) {
      operations.put(operation, new Counts());
    }
  }

  /** Notes the operation that a request asks for. */
  void begin(Exchange exchange, S3Operation operation) {
    exchange.note(operation);
  }

  @Override
  public void asked() {
    inFlight.incrementAndGet();
  }

  @Override
  public void answered(
      Exchange exchange, int status, long receivedBytes, long sentBytes, long nanos) {
    inFlight.decrementAndGet();
    received.add(receivedBytes);
    sent.add(sentBytes);
    Counts counts =
        operations.get(exchange.note() instanceof S3Operation known ? known : S3Operation.OTHER);
    if (counts != null) {
      counts.byClass[Math.clamp(status / 100, 0, CLASSES - 1)].increment();
      counts.nanos.add(nanos);
    }
  }

  @Override
  public void malformed(int status) {
    malformed.increment();
  }

  @Override
  public void accepted() {
    accepted.increment();
  }

  @Override
  public void turnedAway() {
    turnedAway.increment();
  }

  @Override
  public void cut() {
    cut.increment();
  }

  /** Returns everything counted so far. */
  byte[] text() {
    StringBuilder text = new StringBuilder(4096);
    requests(text);
    sample(text, "requests_in_flight", "gauge", "Requests being served.", inFlight.get());
    sample(text, "received_bytes_total", "counter", "Bytes of bodies received.", received.sum());
    sample(text, "sent_bytes_total", "counter", "Bytes of payloads announced.", sent.sum());
    sample(text, "malformed_requests_total", "counter", "Heads refused.", malformed.sum());
    sample(text, "connections_total", "counter", "Connections taken.", accepted.sum());
    sample(
        text,
        "connections_turned_away_total",
        "counter",
        "Connections refused because there were too many.",
        turnedAway.sum());
    sample(
        text,
        "connections_cut_total",
        "counter",
        "Connections cut because they took too long.",
        cut.sum());
    doors(text);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void requests(StringBuilder text) {
    family(text, "requests_total", "counter", "Requests by operation and outcome.");
    operations.forEach((operation, counts) -> {
      for (int i = 0; i < CLASSES; i++) {
        long count = counts.byClass[i].sum();
        if (count > 0) {
          text.append(
              String.format(
                  Locale.ROOT,
                  "quiver_s3_requests_total{operation=\"%s\",code=\"%s\"} %d%n",
                  operation.label(),
                  i == 0 ? "failed" : i + "xx",
                  count));
        }
      }
    });
    family(text, "request_seconds_total", "counter", "Time spent on requests by operation.");
    operations.forEach((operation, counts) -> {
      long nanos = counts.nanos.sum();
      if (nanos > 0) {
        text.append(
            String.format(
                Locale.ROOT,
                "quiver_s3_request_seconds_total{operation=\"%s\"} %.6f%n",
                operation.label(),
                nanos / 1e9));
      }
    });
  }

  private void doors(StringBuilder text) {
    long memory = 0;
    long cache = 0;
    long store = 0;
    long reads = 0;
    long inserted = 0;
    for (var door : buckets.doors().values()) {
      DoorStatistics statistics = door.statistics();
      memory += statistics.memoryBytes();
      cache += statistics.cacheBytes();
      store += statistics.storeBytes();
      reads += statistics.storeReads();
      inserted += statistics.insertedBytes();
    }
    sample(text, "memory_bytes_total", "counter", "Bytes answered from memory.", memory);
    sample(text, "cache_bytes_total", "counter", "Bytes read from cache servers.", cache);
    sample(text, "store_bytes_total", "counter", "Bytes read from stores.", store);
    sample(text, "store_reads_total", "counter", "Requests for bytes made to stores.", reads);
    sample(text, "inserted_bytes_total", "counter", "Bytes that cache servers took.", inserted);
    StreamMetrics.add(text, buckets.doors().values());
  }

  /** Adds a family of one sample. */
  static void sample(StringBuilder text, String name, String type, String help, long value) {
    family(text, name, type, help);
    text.append("quiver_s3_").append(name).append(' ').append(value).append('\n');
  }

  private static void family(StringBuilder text, String name, String type, String help) {
    text.append("# HELP quiver_s3_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE quiver_s3_").append(name).append(' ').append(type).append('\n');
  }
}
