package io.quiver.gateway.s3.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times as header fields and documents write them. */
public final class S3Time {
  private static final DateTimeFormatter HEADER =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter DOCUMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private S3Time() {}

  /** Returns a time for a header field. */
  public static String header(Instant time) {
    return HEADER.format(time);
  }

  /** Returns a time for a document. */
  public static String document(Instant time) {
    return DOCUMENT.format(time);
  }

  /** Returns the time that a header field states; null if it is none. */
  public static @Nullable Instant parse(String field) {
    try {
      return ZonedDateTime.parse(field, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Returns the time to the second, as header fields can tell it. */
  public static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
