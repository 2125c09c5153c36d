package io.quiver.remote.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Reads the dates of HTTP headers. */
final class HttpTime {
  private HttpTime() {}

  /** Returns the time of a header; {@link Instant#EPOCH} for anything that is no date. */
  static Instant parse(String header) {
    try {
      return ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException unreadable) {
      return Instant.EPOCH;
    }
  }
}
