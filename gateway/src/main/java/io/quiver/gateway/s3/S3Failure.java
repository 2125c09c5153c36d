package io.quiver.gateway.s3;

import java.io.Serial;
import java.util.Map;

/**
 * Says that a request is answered with one of S3's errors. It has no stack trace, because bad input
 * is not an event worth one.
 */
final class S3Failure extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final String code;
  private final int status;
  private final transient Map<String, String> details;
  private final transient Map<String, String> fields;

  private S3Failure(
      String code,
      int status,
      String message,
      Map<String, String> details,
      Map<String, String> fields) {
    super(message, null, false, false);
    this.code = code;
    this.status = status;
    this.details = details;
    this.fields = fields;
  }

  /** Makes a failure. */
  static S3Failure of(S3Code code, String message) {
    return new S3Failure(code.text(), code.status(), message, Map.of(), Map.of());
  }

  /** Makes a failure that a store has answered, to be passed on. */
  static S3Failure of(int status, String code, String message) {
    return new S3Failure(code, status, message, Map.of(), Map.of());
  }

  /** Returns a copy with further elements of the document, in this order. */
  S3Failure with(Map<String, String> elements) {
    return new S3Failure(code, status, message(), elements, fields);
  }

  /** Returns a copy with a header field. */
  S3Failure withField(String name, String value) {
    return new S3Failure(code, status, message(), details, Map.of(name, value));
  }

  /** Returns the code as it stands in the document. */
  String code() {
    return code;
  }

  /** Returns the HTTP status. */
  int status() {
    return status;
  }

  /** Returns what is wrong and what the client can do. */
  String message() {
    return String.valueOf(getMessage());
  }

  /** Returns further elements of the document. */
  Map<String, String> details() {
    return details;
  }

  /** Returns further header fields. */
  Map<String, String> fields() {
    return fields;
  }
}
