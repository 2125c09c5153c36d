package io.quiver.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls one of several managers. A call goes to the address that answered last; if that one fails,
 * the others are tried in order. Each attempt is bounded by the timeout of the call, from
 * connecting to the last byte. Used by many threads.
 */
public final class ControlClient implements AutoCloseable {
  /** Longest answer that is read. */
  private static final long MAX_ANSWER = 64L << 20;

  private final List<URI> addresses;
  private final ClientCredentials credentials;
  private final Duration connectTimeout;
  private final Supplier<SSLContext> tls;
  private volatile int preferred;
  // Guarded by this.
  private @Nullable HttpClient http;
  private @Nullable SSLContext context;

  /** An answer of any status. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Answer(int status, byte[] body) {}

  /**
   * Makes a client; it connects when it is first used.
   *
   * @param addresses at least one, such as {@code http://10.0.0.7:7400}
   * @throws IOException if the credentials' files make no sense
   */
  public ControlClient(List<URI> addresses, ClientCredentials credentials, Duration connectTimeout)
      throws IOException {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("no address of a manager");
    }
    this.addresses = List.copyOf(addresses);
    this.credentials = credentials;
    this.connectTimeout = connectTimeout;
    this.tls = TlsFiles.watch(credentials.tls());
  }

  /** Returns the address that answered last, or the first one before that. */
  public URI address() {
    return addresses.get(preferred);
  }

  /** Gets a document. */
  public Answer get(String path, Duration timeout) throws IOException, InterruptedException {
    return call("GET", path, HttpRequest.BodyPublishers.noBody(), timeout);
  }

  /** Deletes something. */
  public Answer delete(String path, Duration timeout) throws IOException, InterruptedException {
    return call("DELETE", path, HttpRequest.BodyPublishers.noBody(), timeout);
  }

  /** Sends a document. It may arrive at two managers if the first does not answer in time. */
  public Answer post(String path, byte[] json, Duration timeout)
      throws IOException, InterruptedException {
    return call("POST", path, HttpRequest.BodyPublishers.ofByteArray(json), timeout);
  }

  private Answer call(String method, String path, HttpRequest.BodyPublisher body, Duration timeout)
      throws IOException, InterruptedException {
    int first = preferred;
    @Nullable IOException failure = null;
    for (int i = 0; i < addresses.size(); i++) {
      int index = (first + i) % addresses.size();
      try {
        Answer answer = send(request(addresses.get(index), method, path, body, timeout), timeout);
        preferred = index;
        return answer;
      } catch (IOException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    throw failure == null ? new IOException("no address") : failure;
  }

  private HttpRequest request(
      URI address, String method, String path, HttpRequest.BodyPublisher body, Duration timeout) {
    String base = address.toString().replaceAll("/+$", "");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path)).timeout(timeout).method(method, body);
    if (method.equals("POST")) {
      request.header("Content-Type", Exchange.JSON);
    }
    credentials.authorization().ifPresent(value -> request.header("Authorization", value));
    return request.build();
  }

  /** Waits for the whole answer: the platform's own timeout ends with the answer's head. */
  private Answer send(HttpRequest request, Duration timeout)
      throws IOException, InterruptedException {
    CompletableFuture<Answer> answer =
        client()
            .sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER))
            .thenApply(response -> new Answer(response.statusCode(), response.body()));
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer within " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(String.valueOf(e.getCause()), e);
    } finally {
      answer.cancel(true);
    }
  }

  /** Returns a client with the newest certificates. */
  @SuppressWarnings("ReferenceEquality")
  private synchronized HttpClient client() {
    SSLContext newest = tls.get();
    HttpClient present = http;
    if (present == null || newest != context) {
      if (present != null) {
        present.shutdown();
      }
      present =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(connectTimeout)
              .sslContext(newest)
              .build();
      http = present;
      context = newest;
    }
    return present;
  }

  /** Ends calls under way. */
  @Override
  public synchronized void close() {
    if (http != null) {
      http.shutdownNow();
    }
  }
}
