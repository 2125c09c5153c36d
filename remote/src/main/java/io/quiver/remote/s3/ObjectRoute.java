package io.quiver.remote.s3;

import io.quiver.remote.direct.Origin;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * The way to the objects of a bucket, as a request of the SDK has shown it: so nobody but the SDK
 * has to know endpoints, regions, partitions and their exceptions.
 *
 * @param prefix of the path before an object's key, encoded
 * @param region to sign for; null where requests are not signed
 * @param service to sign for; null where requests are not signed
 */
record ObjectRoute(
    Origin origin, String prefix, @Nullable String region, @Nullable String service) {
  private static final Pattern SIGNED =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=[^,]+/[0-9]{8}/([^/,]+)/([^/,]+)/aws4_request,.*");

  /** Headers of S3 that are sent here, too; any other means a request of another kind. */
  private static final Set<String> KNOWN =
      Set.of("x-amz-content-sha256", "x-amz-date", "x-amz-security-token");

  /** Returns the way that this request took to an object; empty if others cannot follow it. */
  static Optional<ObjectRoute> of(SdkHttpRequest request, String key) {
    String object = "/" + encode(key);
    boolean plain =
        request.method() == SdkHttpMethod.GET
            && request.rawQueryParameters().isEmpty()
            && request.encodedPath().endsWith(object)
            && request.headers().keySet().stream().allMatch(ObjectRoute::isKnown);
    if (!plain) {
      return Optional.empty();
    }
    boolean encrypted = request.protocol().equals("https");
    Origin origin = new Origin(bare(request.host()), request.port(), encrypted);
    String path = request.encodedPath();
    String prefix = path.substring(0, path.length() - object.length() + 1);
    String authorization = request.firstMatchingHeader("Authorization").orElse(null);
    if (authorization == null) {
      return Optional.of(new ObjectRoute(origin, prefix, null, null));
    }
    Matcher scope = SIGNED.matcher(authorization);
    return scope.matches()
        ? Optional.of(new ObjectRoute(origin, prefix, scope.group(1), scope.group(2)))
        : Optional.empty();
  }

  private static boolean isKnown(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return !name.startsWith("x-amz-") || KNOWN.contains(name);
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Returns the encoded path of an object. */
  String path(String key) {
    return prefix + encode(key);
  }

  /** Encodes what RFC 3986 reserves, but no slashes. */
  private static String encode(String key) {
    StringBuilder encoded = new StringBuilder(key.length() + 16);
    for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xff);
      if (isPlain(character)) {
        encoded.append(character);
      } else {
        encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(char c) {
    boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || "-._~/".indexOf(c) >= 0;
  }
}
