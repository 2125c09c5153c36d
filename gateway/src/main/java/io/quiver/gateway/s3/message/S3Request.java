package io.quiver.gateway.s3.message;

import io.quiver.http.Exchange;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request with its address taken apart.
 *
 * @param exchange the request as it came
 * @param id names the request in errors and logs
 * @param path the whole path, decoded
 * @param bucket the bucket, from the path or the host; empty for the service itself
 * @param key the key of an object; empty for the bucket
 * @param query the parameters
 */
public record S3Request(
    Exchange exchange, String id, String path, String bucket, String key, QueryParameters query) {
  /** The header field that names a request in answers. */
  public static final String ID_FIELD = "x-amz-request-id";

  /**
   * Takes a request apart.
   *
   * @param domains host names below which the first part of a host is a bucket; lower case
   */
  public static S3Request of(Exchange exchange, String id, List<String> domains) throws S3Failure {
    String path = PercentCoding.decodePath(exchange.rawPath());
    QueryParameters query = QueryParameters.parse(exchange.rawQuery());
    String bucket = hostBucket(exchange.field("Host"), domains);
    String key = path.substring(1);
    if (bucket.isEmpty()) {
      int slash = key.indexOf('/');
      bucket = slash < 0 ? key : key.substring(0, slash);
      key = slash < 0 ? "" : key.substring(slash + 1);
    }
    return new S3Request(exchange, id, path, bucket, ObjectKey.require(key), query);
  }

  private static String hostBucket(@Nullable String host, List<String> domains) {
    if (host == null || domains.isEmpty()) {
      return "";
    }
    int colon = host.lastIndexOf(':');
    String name = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    for (String domain : domains) {
      if (name.endsWith(domain)
          && name.length() > domain.length() + 1
          && name.charAt(name.length() - domain.length() - 1) == '.') {
        return name.substring(0, name.length() - domain.length() - 1);
      }
    }
    return "";
  }

  /** Returns the method, as sent. */
  public String method() {
    return exchange.method();
  }

  /** Returns a header field; null if it is absent. */
  public @Nullable String field(String name) {
    return exchange.field(name);
  }

  /** Returns the path of the resource, as errors name it. */
  String resource() {
    return path;
  }
}
