package io.quiver.remote.http;

import io.quiver.remote.Certificates;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteConfig.Timeouts;
import io.quiver.remote.retry.TransientFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;

/**
 * Sends single HTTP requests with timeouts and follows redirects.
 *
 * <p>The configured headers go to the home host only: an {@code Authorization} header must not
 * reach whoever a list or a redirect points to. A redirect from https to http is refused.
 */
public final class HttpRequests implements AutoCloseable {
  private static final int REDIRECTS = 5;
  private static final int ERROR_BODY = 16 * 1024;

  private final HttpClient client;
  private final URI home;
  private final Map<String, String> headers;
  private final Timeouts timeouts;
  private final StallWatch stalls;

  /**
   * @param home whose host may see the configured headers
   */
  public HttpRequests(URI home, RemoteConfig config) throws IOException {
    this.client = client(config);
    this.home = home;
    this.headers = config.http().headers();
    this.timeouts = config.timeouts();
    this.stalls = new StallWatch(config.timeouts().read());
  }

  /** Returns a client with the configured trust and connect timeout, one request per connection. */
  public static HttpClient client(RemoteConfig config) throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(config.timeouts().connect());
    if (config.certificateAuthority() != null) {
      builder.sslContext(Certificates.context(config.certificateAuthority()));
    }
    return builder.build();
  }

  /** Sends a request without a body and returns the final answer, whatever its status. */
  HttpResponse<InputStream> send(String method, URI target, Map<String, String> extra)
      throws IOException {
    URI current = target;
    for (int hops = 0; hops <= REDIRECTS; hops++) {
      HttpResponse<InputStream> answer = exchange(method, current, extra);
      String location = answer.headers().firstValue("Location").orElse(null);
      if (!isRedirect(answer.statusCode()) || location == null) {
        return answer;
      }
      discard(answer);
      current = redirected(current, location);
    }
    throw new IOException(
        ObjectAddress.withoutSecrets(target) + " redirects more than " + REDIRECTS + " times");
  }

  /** Returns a response body whose reads time out. */
  InputStream watched(HttpResponse<InputStream> answer) {
    return stalls.watch(answer.body());
  }

  /** Empties a short body so that the connection can be used again, or drops the connection. */
  void discard(HttpResponse<InputStream> answer) {
    try (InputStream body = watched(answer)) {
      body.readNBytes(ERROR_BODY);
    } catch (IOException dropped) {
      // The connection is gone; the next request opens another.
      return;
    }
  }

  @Override
  public void close() {
    stalls.close();
    client.shutdownNow();
  }

  private HttpResponse<InputStream> exchange(String method, URI target, Map<String, String> extra)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(timeouts.connect().plus(timeouts.read()));
    extra.forEach(request::setHeader);
    if (isHome(target)) {
      headers.forEach(request::setHeader);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped = new InterruptedIOException("interrupted during a request");
      stopped.initCause(interrupted);
      throw stopped;
    } catch (IOException failure) {
      if (Certificates.isUntrusted(failure)) {
        throw Certificates.untrusted(target.getAuthority(), failure);
      }
      throw new TransientFailure(
          "no answer from " + target.getAuthority() + ": " + describe(failure), failure);
    }
  }

  private static String describe(IOException failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  private boolean isHome(URI target) {
    return Objects.equals(home.getScheme(), target.getScheme())
        && Objects.equals(home.getAuthority(), target.getAuthority());
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static URI redirected(URI from, String location) throws IOException {
    try {
      URI target = from.resolve(location);
      boolean downgrade = "https".equals(from.getScheme()) && !"https".equals(target.getScheme());
      if (!downgrade && UrlList.isWeb(target)) {
        return target;
      }
    } catch (IllegalArgumentException malformed) {
      throw new IOException("unusable redirect from " + from.getAuthority(), malformed);
    }
    throw new IOException("unusable redirect from " + from.getAuthority() + " to another scheme");
  }
}
