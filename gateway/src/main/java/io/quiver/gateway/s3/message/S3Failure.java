package io.quiver.gateway.s3.message;

import io.quiver.http.Refusal;
import io.quiver.remote.ChangedObjectException;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Objects;

/**
 * Says that a request is answered with one of S3's errors. It has no stack trace, because bad input
 * is not an event worth one.
 */
public final class S3Failure extends Exception {
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
  public static S3Failure of(S3Code code, String message) {
    return new S3Failure(code.text(), code.status(), message, Map.of(), Map.of());
  }

  /** Makes a failure that a store has answered, to be passed on. */
  public static S3Failure of(int status, String code, String message) {
    return new S3Failure(code, status, message, Map.of(), Map.of());
  }

  /** Returns a refusal of the HTTP stack as an error of S3. */
  public static S3Failure of(Refusal refusal) {
    S3Code code =
        switch (refusal.status()) {
          case 403 -> S3Code.ACCESS_DENIED;
          case 413 -> S3Code.ENTITY_TOO_LARGE;
          case 429, 503 -> S3Code.SLOW_DOWN;
          default -> S3Code.INCOMPLETE_BODY;
        };
    return of(code, refusal.error() + "; " + refusal.remedy());
  }

  /** Returns what a store's failure is in S3's terms. */
  public static S3Failure of(IOException failure) {
    return switch (failure) {
      case NoSuchFileException missing ->
          of(S3Code.NO_SUCH_KEY, "The specified key does not exist.")
              .with(Map.of("Key", String.valueOf(missing.getFile())));
      case AccessDeniedException denied ->
          of(
              S3Code.ACCESS_DENIED,
              "The store denies access with the credentials of this endpoint: "
                  + Objects.requireNonNullElse(denied.getReason(), "no reason given"));
      case FileSystemException trouble when trouble.getReason() != null ->
          of(S3Code.INTERNAL_ERROR, "The store failed: " + trouble.getReason());
      case ChangedObjectException changed ->
          of(S3Code.SERVICE_UNAVAILABLE, String.valueOf(changed.getMessage()));
      default -> of(S3Code.INTERNAL_ERROR, "The store failed: " + failure.getMessage());
    };
  }

  /** Returns a copy with further elements of the document, in this order. */
  public S3Failure with(Map<String, String> elements) {
    return new S3Failure(code, status, message(), elements, fields);
  }

  /** Returns a copy with a header field. */
  public S3Failure withField(String name, String value) {
    return new S3Failure(code, status, message(), details, Map.of(name, value));
  }

  /** Returns the code as it stands in the document. */
  public String code() {
    return code;
  }

  /** Returns the HTTP status. */
  public int status() {
    return status;
  }

  /** Returns what is wrong and what the client can do. */
  public String message() {
    return String.valueOf(getMessage());
  }

  /** Returns further elements of the document. */
  public Map<String, String> details() {
    return details;
  }

  /** Returns further header fields. */
  public Map<String, String> fields() {
    return fields;
  }
}
