package io.quiver.gateway.s3;

import io.quiver.http.AdvertisedAddress;
import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.HttpServer;
import io.quiver.http.Refusal;
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
  /** The header field that names a request in errors. */
  static final String REQUEST_ID = "x-amz-request-id";

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

  /** Returns a refusal of the HTTP stack as an error of S3. */
  static S3Failure failure(Refusal refusal) {
    S3Code code =
        switch (refusal.status()) {
          case 403 -> S3Code.ACCESS_DENIED;
          case 413 -> S3Code.ENTITY_TOO_LARGE;
          case 429, 503 -> S3Code.SLOW_DOWN;
          default -> S3Code.INCOMPLETE_BODY;
        };
    return S3Failure.of(code, refusal.error() + "; " + refusal.remedy());
  }

  /** Writes the one owner that all buckets and objects have. */
  static void owner(XmlAnswer xml, String element) {
    xml.open(element).element("ID", "quiver").element("DisplayName", "quiver").close();
  }
}
