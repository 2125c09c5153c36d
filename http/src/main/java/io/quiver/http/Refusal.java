package io.quiver.http;

import java.io.Serial;
import java.util.Map;

/**
 * Says that a request is answered with an error, what is wrong, and what the client can do. It has
 * no stack trace, because bad input is not an event worth one.
 */
public final class Refusal extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final int status;
  private final String remedy;
  private final transient Map<String, String> fields;
  private final boolean lastRequest;

  private Refusal(
      int status, String error, String remedy, Map<String, String> fields, boolean lastRequest) {
    super(error, null, false, false);
    this.status = status;
    this.remedy = remedy;
    this.fields = fields;
    this.lastRequest = lastRequest;
  }

  /** Makes a refusal after which the connection can go on. */
  public static Refusal of(int status, String error, String remedy) {
    return new Refusal(status, error, remedy, Map.of(), false);
  }

  /** Makes a refusal with one more header field. */
  public static Refusal of(int status, String error, String remedy, String field, String value) {
    return new Refusal(status, error, remedy, Map.of(field, value), false);
  }

  /** Makes a refusal for lack of a resource that will be free again: try again in a second. */
  public static Refusal busy(String error) {
    return of(
        429,
        error,
        "try again after the time in Retry-After, with smaller batches or fewer at once",
        "Retry-After",
        "1");
  }

  /** Returns a copy after which the connection closes: where the next request begins is unknown. */
  public Refusal closing() {
    return new Refusal(status, error(), remedy, fields, true);
  }

  /** Returns the HTTP status. */
  public int status() {
    return status;
  }

  /** Returns what is wrong. */
  public String error() {
    return String.valueOf(getMessage());
  }

  /** Returns what the client can do. */
  public String remedy() {
    return remedy;
  }

  /** Returns further header fields of the answer. */
  public Map<String, String> fields() {
    return fields;
  }

  /** Returns true if nothing can follow on the connection. */
  public boolean lastRequest() {
    return lastRequest;
  }
}
