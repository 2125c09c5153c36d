package io.quiver.client.transport;

import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.protocol.Wire;
import java.time.Duration;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;

/**
 * The fields of an answer's head that the client needs.
 *
 * @param status HTTP status
 * @param bodyBytes length of the body
 * @param keepAlive true if the connection can be used again
 * @param retryAfter the wait the server asks for, zero if it does not
 * @param claimLease the lease of claims granted with this answer, zero without any
 */
public record ResponseHead(
    int status, long bodyBytes, boolean keepAlive, Duration retryAfter, Duration claimLease) {
  private static final long MAX_SECONDS = 3600;

  static ResponseHead of(ClassicHttpResponse response) throws ExchangeException {
    if (response.getFirstHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
      throw broken("has a transfer encoding instead of a length");
    }
    if (response.countHeaders(HttpHeaders.CONTENT_LENGTH) > 1) {
      throw broken("has several lengths");
    }
    Header length = response.getFirstHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      throw broken("has no length");
    }
    return new ResponseHead(
        response.getCode(),
        number(length, Long.MAX_VALUE),
        keepAlive(response),
        Duration.ofSeconds(optional(response, HttpHeaders.RETRY_AFTER, MAX_SECONDS)),
        Duration.ofMillis(optional(response, Wire.CLAIM_LEASE_HEADER, MAX_SECONDS * 1000)));
  }

  private static boolean keepAlive(ClassicHttpResponse response) {
    Header connection = response.getFirstHeader(HttpHeaders.CONNECTION);
    boolean close = connection != null && "close".equalsIgnoreCase(connection.getValue());
    return !close && HttpVersion.HTTP_1_1.equals(response.getVersion());
  }

  /** Returns a header's number that is only a hint: an unreadable one counts as zero. */
  private static long optional(ClassicHttpResponse response, String name, long most) {
    Header header = response.getFirstHeader(name);
    try {
      return header == null ? 0 : number(header, most);
    } catch (ExchangeException e) {
      return 0;
    }
  }

  private static long number(Header header, long most) throws ExchangeException {
    String value = String.valueOf(header.getValue()).trim();
    if (value.isEmpty() || value.length() > 18 || !value.chars().allMatch(ResponseHead::digit)) {
      throw broken("says " + header.getName() + ": " + abbreviate(value));
    }
    return Math.min(most, Long.parseLong(value));
  }

  private static boolean digit(int character) {
    return character >= '0' && character <= '9';
  }

  private static String abbreviate(String value) {
    return value.length() <= 40 ? value : value.substring(0, 40) + "…";
  }

  private static ExchangeException broken(String what) {
    return new ExchangeException(FailureKind.PROTOCOL, "the answer " + what, (Throwable) null);
  }
}
