package io.quiver.gateway.s3;

import io.quiver.gateway.s3.store.Buckets;
import io.quiver.gateway.s3.store.StoreOpener;
import io.quiver.http.AdvertisedAddress;
import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.HttpServer;
import io.quiver.http.RequestTimeouts;
import io.quiver.http.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** An S3 endpoint in front of stores: one HTTP server, its buckets, keys and counters. */
public final class S3Gateway implements AutoCloseable {
  /** Heads and small payloads leave through buffers of this length. */
  private static final int STAGING_BYTES = 64 << 10;

  private static final int KEPT_BUFFERS = 64;

  /** Connections that have a thread of the operating system. */
  private static final int PLATFORM_THREADS = 256;

  private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);
  private static final Duration BUDGET_WAIT = Duration.ofSeconds(10);

  private final GatewayConfig config;
  private final Buckets buckets;
  private final HttpServer http;

  private S3Gateway(GatewayConfig config, Buckets buckets, HttpServer http) {
    this.config = config;
    this.buckets = buckets;
    this.http = http;
  }

  /** Opens the stores of all buckets and serves them until closed. */
  public static S3Gateway start(GatewayConfig config, StoreOpener opener, InstantSource clock)
      throws IOException {
    Buckets buckets = new Buckets(config.buckets(), opener);
    try {
      buckets.openAll();
      return new S3Gateway(config, buckets, serve(config, buckets, clock));
    } catch (IOException | RuntimeException e) {
      buckets.close();
      throw e;
    }
  }

  private static HttpServer serve(GatewayConfig config, Buckets buckets, InstantSource clock)
      throws IOException {
    GatewayConfig.Limits limits = config.limits();
    ByteBudget documents = new ByteBudget(limits.documentBytes(), BUDGET_WAIT);
    GatewayMetrics metrics = new GatewayMetrics(buckets);
    HttpServer.Setup setup =
        new HttpServer.Setup(
            new InetSocketAddress(config.host(), config.port()),
            limits.connections(),
            PLATFORM_THREADS,
            new RequestTimeouts.Limits(limits.idle(), limits.head(), limits.stall()),
            CLOSE_GRACE,
            config.tls().isPresent() ? ServerTls.of(config.tls().get()) : null,
            System::nanoTime);
    return new HttpServer(
        setup,
        documents::contended,
        new DirectBuffers(STAGING_BYTES, KEPT_BUFFERS),
        new S3Handler(config, buckets, documents, metrics, clock),
        metrics);
  }

  /** Returns where it listens, with the port the system chose. */
  public InetSocketAddress address() {
    return http.address();
  }

  /** Returns where clients find it. */
  public URI uri() {
    String scheme = config.tls().isPresent() ? "https" : "http";
    return AdvertisedAddress.uri(scheme, Optional.empty(), config.host(), address().getPort());
  }

  @Override
  public void close() throws IOException {
    try {
      http.close();
    } finally {
      buckets.close();
    }
  }
}
