package io.quiver.remote.retry;

import io.quiver.remote.Certificates;
import io.quiver.remote.ChangedObjectException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Translates a service's HTTP status into an exception, in the same way for every kind of service.
 */
public final class Refusals {
  private Refusals() {}

  /**
   * Returns the exception for a status.
   *
   * @param status the HTTP status
   * @param name the object, or what else was asked for
   * @param detail the service's own words, without secrets
   * @param remedy what to do about a refusal
   * @param asked how long the service asked callers to stay away
   * @param cause what the SDK threw, if anything
   */
  public static IOException of(
      int status,
      String name,
      String detail,
      String remedy,
      Duration asked,
      @Nullable Throwable cause) {
    IOException refusal = of(status, name, detail, remedy, asked);
    if (cause != null) {
      refusal.initCause(cause);
    }
    return refusal;
  }

  private static IOException of(
      int status, String name, String detail, String remedy, Duration asked) {
    String answer =
        "the service answered " + status + (detail.isEmpty() ? "" : " (" + detail + ")");
    return switch (status) {
      case 404, 410 -> new NoSuchFileException(name, null, answer);
      case 401, 403, 407 -> new AccessDeniedException(name, null, answer + "; " + remedy);
      case 412 -> new ChangedObjectException(name);
      case 416 -> new EOFException(answer);
      case 408, 425, 429 -> new TransientFailure(answer, asked);
      default ->
          status >= 500 && status != 501 && status != 505
              ? new TransientFailure(answer, asked)
              : new IOException("'" + name + "': " + answer);
    };
  }

  /** Returns the exception for a request that got no answer at all. */
  public static IOException unanswered(String name, Exception failure) {
    return Certificates.isUntrusted(failure)
        ? Certificates.untrusted(name, failure)
        : new TransientFailure("no usable answer: " + failure.getMessage(), failure);
  }

  /**
   * Returns the wait that a {@code Retry-After} header in seconds asks for; zero for anything else.
   */
  public static Duration retryAfter(String header) {
    return header.matches("[0-9]{1,5}")
        ? Duration.ofSeconds(Long.parseLong(header))
        : Duration.ZERO;
  }
}
