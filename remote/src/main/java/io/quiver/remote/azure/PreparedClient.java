package io.quiver.remote.azure;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Hands a client that is already built to an SDK that insists on building one, so that closing the
 * store can end the requests under way. What the SDK sets is ignored: the client has it already.
 */
record PreparedClient(HttpClient client) implements HttpClient.Builder {
  @Override
  public HttpClient build() {
    return client;
  }

  @Override
  public HttpClient.Builder cookieHandler(CookieHandler ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder connectTimeout(Duration ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder sslContext(SSLContext ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder sslParameters(SSLParameters ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder executor(Executor ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder followRedirects(HttpClient.Redirect ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder version(HttpClient.Version ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder priority(int ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder proxy(ProxySelector ignored) {
    return this;
  }

  @Override
  public HttpClient.Builder authenticator(Authenticator ignored) {
    return this;
  }
}
