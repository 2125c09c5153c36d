package io.quiver.remote.s3;

import io.quiver.remote.Certificates;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.UserMetadata;
import io.quiver.remote.direct.DirectAnswer;
import io.quiver.remote.direct.DirectHttp;
import io.quiver.remote.retry.ContentRange;
import io.quiver.remote.retry.HttpTime;
import io.quiver.remote.retry.ObjectBody;
import io.quiver.remote.retry.Refusals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * Reads objects without the SDK, once a read through the SDK has shown the way: its clients cost
 * several times the processor time of a small object. What is no plain answer is left to the SDK:
 * redirects, bodies of unknown length, and what comes after a refusal. It shows the way anew when
 * it succeeds.
 */
final class DirectReads implements AutoCloseable {
  private static final int MOST_WAYS = 64;
  private static final int ERROR_BYTES = 4096;
  private static final String METADATA_PREFIX = "x-amz-meta-";
  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9.]{1,64})</Code>");

  private final RemoteConfig config;
  private final AwsCredentialsProvider credentials;
  private final SSLSocketFactory secured;
  private final Map<String, Way> ways = new ConcurrentHashMap<>();
  // Guarded by itself.
  private final List<DirectHttp> opened = new ArrayList<>();

  /** A way to a bucket that was shown, and the connections that take it. */
  private record Way(ObjectRoute route, @Nullable RequestSignature signature, DirectHttp http) {}

  private DirectReads(
      RemoteConfig config, AwsCredentialsProvider credentials, SSLSocketFactory secured) {
    this.config = config;
    this.credentials = credentials;
    this.secured = secured;
  }

  /** Returns direct reads; null where proxies are configured, which only the SDK's client uses. */
  static @Nullable DirectReads of(RemoteConfig config, AwsCredentialsProvider credentials)
      throws IOException {
    return behindProxy() ? null : new DirectReads(config, credentials, factory(config));
  }

  private static boolean behindProxy() {
    Stream<@Nullable String> proxies =
        Stream.concat(
            Stream.of("http.proxyHost", "https.proxyHost").map(System::getProperty),
            Stream.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
                .map(System::getenv));
    return proxies.anyMatch(proxy -> proxy != null && !proxy.isBlank());
  }

  private static SSLSocketFactory factory(RemoteConfig config) throws IOException {
    try {
      return config.certificateAuthority() == null
          ? SSLContext.getDefault().getSocketFactory()
          : Certificates.context(config.certificateAuthority()).getSocketFactory();
    } catch (NoSuchAlgorithmException absent) {
      throw new IOException("this Java has no default TLS context", absent);
    }
  }

  /** Returns what shows this the way: to be added to the SDK's client. */
  ExecutionInterceptor scout() {
    return new ExecutionInterceptor() {
      @Override
      public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes any) {
        int status = context.httpResponse().statusCode();
        if ((status == 200 || status == 206)
            && context.request() instanceof GetObjectRequest request) {
          ObjectRoute.of(context.httpRequest(), request.key())
              .ifPresent(route -> show(request.bucket(), route));
        }
      }
    };
  }

  /** Reads a bucket's objects this way from now on. */
  void show(String bucket, ObjectRoute route) {
    Way present = ways.get(bucket);
    if (present != null && present.route.equals(route)) {
      return;
    }
    synchronized (opened) {
      if (opened.size() < MOST_WAYS) {
        DirectHttp http = new DirectHttp(route.origin(), config.timeouts(), secured);
        opened.add(http);
        ways.put(bucket, new Way(route, signature(route), http));
      }
    }
  }

  private static @Nullable RequestSignature signature(ObjectRoute route) {
    return route.region() == null || route.service() == null
        ? null
        : new RequestSignature(route.region(), route.service());
  }

  /** Returns an object's bytes; null if the SDK has to be asked. */
  @Nullable ObjectBody open(
      String bucket, String key, String name, long offset, long length, String version)
      throws IOException {
    Way way = ways.get(bucket);
    if (way == null) {
      return null;
    }
    DirectAnswer answer = send(way, key, name, offset, length, version);
    int status = answer.status();
    if ((status == 200 || status == 206) && answer.length() >= 0) {
      return body(name, offset, length, answer);
    }
    if (status < 400 || status == 400 || status == 401 || status == 403) {
      ways.remove(bucket, way);
    }
    if (status >= 400) {
      throw refusal(status, name, answer);
    }
    answer.abort();
    return null;
  }

  private DirectAnswer send(
      Way way, String key, String name, long offset, long length, String version)
      throws IOException {
    try {
      return way.http.send(request(way, key, offset, length, version));
    } catch (IOException | SdkException failure) {
      throw Refusals.unanswered(name, failure);
    }
  }

  private byte[] request(Way way, String key, long offset, long length, String version) {
    String path = way.route.path(key);
    Map<String, String> headers = new HashMap<>();
    headers.put("host", way.route.origin().hostHeader());
    headers.put("range", ContentRange.header(offset, length));
    if (!version.isEmpty()) {
      headers.put("if-match", version);
    }
    Map<String, String> sent =
        way.signature == null
            ? headers
            : way.signature.sign(path, headers, credentials.resolveCredentials(), Instant.now());
    StringBuilder head = new StringBuilder(1024);
    head.append("GET ").append(path).append(" HTTP/1.1\r\n");
    sent.forEach((field, value) -> head.append(field).append(": ").append(value).append("\r\n"));
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static ObjectBody body(String name, long offset, long length, DirectAnswer answer)
      throws IOException {
    boolean usable = false;
    try {
      ContentRange range =
          ContentRange.of(name, answer.header("Content-Range"), answer.length(), offset, length);
      String modified = answer.header("Last-Modified");
      RemoteObject object =
          S3Source.describe(
              name,
              range.size(),
              answer.header("ETag"),
              modified == null ? null : HttpTime.parse(modified));
      ObjectDetails details =
          UserMetadata.details(
              object, answer.header("Content-Type"), answer.headersFrom(METADATA_PREFIX));
      ObjectBody body = new ObjectBody(answer.body(), range.length(), details, answer::abort);
      usable = true;
      return body;
    } finally {
      if (!usable) {
        answer.abort();
      }
    }
  }

  private static IOException refusal(int status, String name, DirectAnswer answer) {
    String wait = answer.header("Retry-After");
    Duration asked = wait == null ? Duration.ZERO : Refusals.retryAfter(wait);
    return Refusals.of(status, name, code(answer), S3Source.REMEDY, asked, null);
  }

  /** Returns the service's word for a refusal, which is in a short document; empty without one. */
  private static String code(DirectAnswer answer) {
    try {
      boolean brief = answer.length() >= 0 && answer.length() <= ERROR_BYTES;
      String text = brief ? new String(answer.body().readAllBytes(), StandardCharsets.UTF_8) : "";
      Matcher code = CODE.matcher(text);
      return code.find() ? code.group(1) : "";
    } catch (IOException cut) {
      return "";
    } finally {
      answer.abort();
    }
  }

  /** Cuts every connection, even those in use. */
  @Override
  public void close() {
    synchronized (opened) {
      opened.forEach(DirectHttp::close);
    }
  }
}
