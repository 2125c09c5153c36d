package io.quiver.server;

import io.quiver.http.Exchange;
import io.quiver.http.JsonLine;
import io.quiver.protocol.Wire;
import io.quiver.server.blobs.Claims;
import io.quiver.server.keep.SpaceKeepers;
import io.quiver.server.metrics.ServerGauge;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.store.BlobStore;
import io.quiver.store.StoreUsage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /v1/status}, {@code /v1/counters}, {@code /healthz} and {@code /metrics}. */
final class StatusPages {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final ServerConfig config;
  private final BlobStore store;
  private final Claims claims;
  private final SpaceKeepers keepers;
  private final ServerMetrics metrics;
  private final Supplier<Map<ServerGauge, Long>> load;
  private final long startedNanos = System.nanoTime();

  StatusPages(
      ServerConfig config,
      BlobStore store,
      Claims claims,
      SpaceKeepers keepers,
      ServerMetrics metrics,
      Supplier<Map<ServerGauge, Long>> load) {
    this.config = config;
    this.store = store;
    this.claims = claims;
    this.keepers = keepers;
    this.metrics = metrics;
    this.load = load;
  }

  void status(Exchange exchange) throws IOException {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("name", config.name());
    document.put("version", version());
    document.put("uptime_ms", (System.nanoTime() - startedNanos) / 1_000_000);
    document.put("store", store());
    document.put("spaces", store.spaces().size());
    Map<ServerGauge, Long> now = load.get();
    document.put("connections", now.get(ServerGauge.CONNECTIONS));
    document.put("requests_in_flight", now.get(ServerGauge.REQUESTS_IN_FLIGHT));
    document.put("in_flight_bytes", now.get(ServerGauge.IN_FLIGHT_BYTES));
    document.put("claims", claims.size());
    document.put("limits", limits());
    exchange.answer(200, Exchange.JSON, JsonLine.bytes(document));
  }

  void counters(Exchange exchange) throws IOException {
    exchange.answer(200, Exchange.JSON, JsonLine.bytes(metrics.document()));
  }

  void health(Exchange exchange) throws IOException {
    exchange.answer(200, Exchange.JSON, JsonLine.bytes(Map.of("status", "ok")));
  }

  void metrics(Exchange exchange) throws IOException {
    String text = metrics.text(gauges(), keepers.reports());
    exchange.answer(200, PROMETHEUS, text.getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, Object> store() {
    StoreUsage usage = store.usage();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("capacity_bytes", usage.capacityBytes());
    document.put("used_bytes", usage.usedBytes());
    document.put("live_bytes", usage.liveBytes());
    document.put("blobs", usage.blobs());
    document.put("warm_reads", usage.activity().warmReads());
    document.put("cold_reads", usage.activity().coldReads());
    document.put("corrupt_blobs", usage.activity().corruptBlobs());
    document.put("failures", usage.activity().failures());
    return document;
  }

  private Map<String, Object> limits() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("max_batch", Wire.MAX_BATCH);
    document.put("max_blob_bytes", config.limits().blobBytes());
    document.put("max_response_bytes", config.limits().responseBytes());
    document.put("max_connections", config.limits().connections());
    document.put("max_in_flight_bytes", config.limits().inFlightBytes());
    document.put("claim_lease_ms", config.timeouts().claimLease().toMillis());
    return document;
  }

  private Map<ServerGauge, Long> gauges() {
    StoreUsage usage = store.usage();
    Map<ServerGauge, Long> gauges = new EnumMap<>(load.get());
    gauges.put(ServerGauge.CLAIMS, (long) claims.size());
    gauges.put(ServerGauge.STORE_CAPACITY_BYTES, usage.capacityBytes());
    gauges.put(ServerGauge.STORE_USED_BYTES, usage.usedBytes());
    gauges.put(ServerGauge.STORE_LIVE_BYTES, usage.liveBytes());
    gauges.put(ServerGauge.STORE_BLOBS, usage.blobs());
    gauges.put(ServerGauge.STORE_NAMES, usage.names());
    gauges.put(ServerGauge.STORE_CORRUPT_BLOBS, usage.activity().corruptBlobs());
    gauges.put(ServerGauge.STORE_FAILURES, usage.activity().failures());
    gauges.put(ServerGauge.STORE_WRITTEN_BYTES, usage.activity().writtenBytes());
    gauges.put(ServerGauge.STORE_WARM_READS, usage.activity().warmReads());
    gauges.put(ServerGauge.STORE_COLD_READS, usage.activity().coldReads());
    return gauges;
  }

  /** Returns the version this server was built as, which the build writes into its resources. */
  private static String version() {
    try (InputStream resource = StatusPages.class.getResourceAsStream("version.txt")) {
      return resource == null
          ? "unknown"
          : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the server's own version", e);
    }
  }
}
