package io.quiver.remote.http;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.retry.ContentRange;
import io.quiver.remote.retry.ObjectBody;
import io.quiver.remote.retry.ObjectSource;
import io.quiver.remote.retry.Refusals;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Reads objects on web servers, each known by its URL. */
public final class HttpSource implements ObjectSource {
  private static final String REMEDY = "check the headers, or the signature in the URL";

  private final HttpRequests requests;
  private final Map<String, URI> targets;
  private final String uri;

  public HttpSource(HttpRequests requests, Map<String, URI> targets, String uri) {
    this.requests = requests;
    this.targets = targets;
    this.uri = uri;
  }

  @Override
  public int listingWindow() {
    return 1;
  }

  /** Fails, because the web has no listings; {@link UrlListStore} knows the names. */
  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    throw new IOException(uri + " cannot be listed; give a list of URLs");
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    URI target = target(name);
    HttpResponse<InputStream> answer = requests.send("HEAD", target, Map.of());
    requests.discard(answer);
    HttpHeaders head = answer.headers();
    long size = head.firstValueAsLong("Content-Length").orElse(-1);
    return switch (answer.statusCode()) {
      case 200 -> size < 0 ? detailsByRange(name, target) : describe(name, size, head);
      case 403, 405, 501 -> detailsByRange(name, target);
      default -> throw refusal(answer, name);
    };
  }

  @Override
  public ObjectBody open(String name, long offset, long length, String version) throws IOException {
    Map<String, String> conditions = new HashMap<>();
    conditions.put("Range", ContentRange.header(offset, length));
    if (version.startsWith("\"")) {
      conditions.put("If-Match", version);
    } else if (!HttpTime.parse(version).equals(Instant.EPOCH)) {
      conditions.put("If-Unmodified-Since", version);
    }
    HttpResponse<InputStream> answer = requests.send("GET", target(name), conditions);
    if (answer.statusCode() != 206 && answer.statusCode() != 200) {
      requests.discard(answer);
      throw refusal(answer, name);
    }
    return body(name, offset, length, answer);
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public void close() {
    requests.close();
  }

  private ObjectBody body(String name, long offset, long length, HttpResponse<InputStream> answer)
      throws IOException {
    HttpHeaders head = answer.headers();
    InputStream bytes = requests.watched(answer);
    try {
      String range =
          answer.statusCode() == 206 ? head.firstValue("Content-Range").orElse("") : null;
      long sent = head.firstValueAsLong("Content-Length").orElse(-1);
      ContentRange checked = ContentRange.of(name, range, sent, offset, length);
      ObjectDetails details = describe(name, checked.size(), head);
      return new ObjectBody(bytes, checked.length(), details, () -> closeQuietly(bytes));
    } catch (IOException | RuntimeException unusable) {
      closeQuietly(bytes);
      throw unusable;
    }
  }

  /** Looks an object up by a GET, for servers without HEAD and URLs whose signature is for GET. */
  private ObjectDetails detailsByRange(String name, URI target) throws IOException {
    HttpResponse<InputStream> answer = requests.send("GET", target, Map.of("Range", "bytes=0-0"));
    HttpHeaders head = answer.headers();
    if (answer.statusCode() == 416
        && head.firstValue("Content-Range").orElse("").equals("bytes */0")) {
      requests.discard(answer);
      return describe(name, 0, head);
    }
    if (answer.statusCode() != 206 && answer.statusCode() != 200) {
      requests.discard(answer);
      throw refusal(answer, name);
    }
    try (ObjectBody body = body(name, 0, 1, answer)) {
      return body.details();
    }
  }

  private URI target(String name) throws NoSuchFileException {
    URI target = targets.get(name);
    if (target == null) {
      throw new NoSuchFileException(name, null, "it is not listed in " + uri);
    }
    return target;
  }

  private static ObjectDetails describe(String name, long size, HttpHeaders head) {
    String modified = head.firstValue("Last-Modified").orElse("");
    String version = head.firstValue("ETag").orElse(modified);
    return new ObjectDetails(
        new RemoteObject(name, size, version, HttpTime.parse(modified)),
        head.firstValue("Content-Type").orElse(""),
        Map.of());
  }

  private static IOException refusal(HttpResponse<InputStream> answer, String name) {
    String retryAfter = answer.headers().firstValue("Retry-After").orElse("");
    return Refusals.of(
        answer.statusCode(), name, "", REMEDY, Refusals.retryAfter(retryAfter), null);
  }

  private static void closeQuietly(InputStream stream) {
    try {
      stream.close();
    } catch (IOException dropped) {
      // A connection that cannot be closed is dropped by the client.
      return;
    }
  }
}
