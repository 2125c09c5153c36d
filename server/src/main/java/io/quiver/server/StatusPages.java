package io.quiver.server;

import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.JsonLine;
import io.quiver.protocol.Wire;
import io.quiver.server.blobs.Claims;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.store.BlobStore;
import io.quiver.store.StoreUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/** {@code /v1/status}, {@code /v1/counters}, {@code /healthz} and {@code /metrics}. */
final class StatusPages {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final ServerConfig config;
  private final BlobStore store;
  private final Claims claims;
  private final ByteBudget budget;
  private final ServerMetrics metrics;
  private final IntSupplier connections;
  private final long startedNanos = System.nanoTime();

  StatusPages(
      ServerConfig config,
      BlobStore store,
      Claims claims,
      ByteBudget budget,
      ServerMetrics metrics,
      IntSupplier connections) {
    this.config = config;
    this.store = store;
    this.claims = claims;
    this.budget = budget;
    this.metrics = metrics;
    this.connections = connections;
  }

  void status(Exchange exchange) throws IOException {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", config.name());
    document.put("version", Version.text());
    document.put("uptime_ms", (System.nanoTime() - startedNanos) / 1_000_000);
    document.put("store", store());
    document.put("spaces", store.spaces().size());
    document.put("connections", connections.getAsInt());
    document.put("requests_in_flight", metrics.requestsInFlight());
    document.put("in_flight_bytes", budget.heldBytes());
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
    exchange.answer(200, PROMETHEUS, metrics.text(gauges()).getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, Object> store() {
    StoreUsage usage = store.usage();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("capacity_bytes", usage.capacityBytes());
    document.put("used_bytes", usage.usedBytes());
    document.put("live_bytes", usage.liveBytes());
    document.put("blobs", usage.blobs());
    document.put("warm_reads", usage.warmReads());
    document.put("cold_reads", usage.coldReads());
    document.put("corrupt_blobs", usage.corruptBlobs());
    document.put("failures", usage.failures());
    return document;
  }

  private Map<String, Object> limits() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("max_batch", Wire.MAX_BATCH);
    document.put("max_blob_bytes", config.maxBlobBytes());
    document.put("max_response_bytes", config.maxResponseBytes());
    document.put("max_connections", config.maxConnections());
    document.put("max_in_flight_bytes", config.maxInFlightBytes());
    document.put("claim_lease_ms", config.claimLease().toMillis());
    return document;
  }

  private Map<String, Long> gauges() {
    StoreUsage usage = store.usage();
    Map<String, Long> gauges = new LinkedHashMap<>();
    gauges.put("quiver_connections", (long) connections.getAsInt());
    gauges.put("quiver_requests_in_flight", (long) metrics.requestsInFlight());
    gauges.put("quiver_in_flight_bytes", budget.heldBytes());
    gauges.put("quiver_claims", (long) claims.size());
    gauges.put("quiver_store_capacity_bytes", usage.capacityBytes());
    gauges.put("quiver_store_used_bytes", usage.usedBytes());
    gauges.put("quiver_store_live_bytes", usage.liveBytes());
    gauges.put("quiver_store_blobs", usage.blobs());
    gauges.put("quiver_store_corrupt_blobs", usage.corruptBlobs());
    gauges.put("quiver_store_failures", usage.failures());
    gauges.put("quiver_store_warm_reads", usage.warmReads());
    gauges.put("quiver_store_cold_reads", usage.coldReads());
    return gauges;
  }
}
