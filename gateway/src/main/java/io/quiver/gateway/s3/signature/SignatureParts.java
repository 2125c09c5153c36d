package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.QueryParameters;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A signature of version 4 as a request states it, in its Authorization field or in its query.
 *
 * @param accessKey who says to have signed
 * @param date the day of the credential scope, as in 20260131
 * @param region the region of the scope
 * @param signedAt the time of signing
 * @param signedFields the header fields it covers, lower case, in order
 * @param signature 64 hex digits
 * @param expirySeconds the time a presigned address is good for; negative for a header
 */
public record SignatureParts(
    String accessKey,
    String date,
    String region,
    Instant signedAt,
    List<String> signedFields,
    String signature,
    int expirySeconds) {
  static final String ALGORITHM = "AWS4-HMAC-SHA256";
  static final String SIGNATURE = "X-Amz-Signature";
  private static final String SERVICE = "s3";
  private static final String TERMINATOR = "aws4_request";
  private static final int LONGEST_EXPIRY_SECONDS = 7 * 24 * 3600;
  private static final int MAX_FIELDS = 64;

  // The pattern of the basic format of ISO 8601 in UTC, to the second.
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

  /** Returns true if the signature is part of the address. */
  boolean isPresigned() {
    return expirySeconds >= 0;
  }

  /** Reads the Authorization field. */
  static SignatureParts ofHeader(S3Request request, String field) throws S3Failure {
    String credential = null;
    String fields = null;
    String signature = null;
    for (String part : field.substring(ALGORITHM.length()).split(",", -1)) {
      String pair = part.strip();
      int equals = pair.indexOf('=');
      String value = pair.substring(equals + 1);
      switch (equals < 0 ? "" : pair.substring(0, equals)) {
        case "Credential" -> credential = value;
        case "SignedHeaders" -> fields = value;
        case "Signature" -> signature = value;
        default -> throw headerMalformed("a part is not Credential, SignedHeaders or Signature");
      }
    }
    if (credential == null || fields == null || signature == null) {
      throw headerMalformed("Credential, SignedHeaders and Signature must be there");
    }
    String[] scope = scope(credential);
    if (scope.length == 0) {
      throw headerMalformed("the Credential is not KEY/YYYYMMDD/REGION/s3/aws4_request");
    }
    Instant signedAt = time(request);
    if (signedAt == null) {
      throw S3Failure.of(
          S3Code.ACCESS_DENIED, "AWS authentication requires a valid Date or x-amz-date header");
    }
    return new SignatureParts(scope[0], scope[1], scope[2], signedAt, split(fields), signature, -1);
  }

  /** Reads a presigned address. */
  static SignatureParts ofQuery(QueryParameters query) throws S3Failure {
    String[] scope = scope(query.valueOrEmpty("X-Amz-Credential"));
    if (scope.length == 0) {
      throw queryMalformed("X-Amz-Credential is not KEY/YYYYMMDD/REGION/s3/aws4_request");
    }
    Instant signedAt = parse(query.valueOrEmpty("X-Amz-Date"));
    if (signedAt == null) {
      throw queryMalformed("X-Amz-Date must be in the ISO8601 format yyyyMMdd'T'HHmmss'Z'");
    }
    return new SignatureParts(
        scope[0],
        scope[1],
        scope[2],
        signedAt,
        split(query.valueOrEmpty("X-Amz-SignedHeaders")),
        query.valueOrEmpty(SIGNATURE),
        expiry(query.valueOrEmpty("X-Amz-Expires")));
  }

  private static int expiry(String text) throws S3Failure {
    try {
      int seconds = Integer.parseInt(text);
      if (seconds >= 1 && seconds <= LONGEST_EXPIRY_SECONDS) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw queryMalformed("X-Amz-Expires must be 1 to " + LONGEST_EXPIRY_SECONDS + " seconds");
  }

  /** Returns access key, day and region; empty if the scope is not one of S3. */
  private static String[] scope(String credential) {
    String[] parts = credential.split("/", -1);
    boolean valid =
        parts.length == 5
            && !parts[0].isEmpty()
            && parts[1].matches("\\d{8}")
            && parts[3].equals(SERVICE)
            && parts[4].equals(TERMINATOR);
    return valid ? parts : new String[0];
  }

  private static List<String> split(String fields) throws S3Failure {
    List<String> names = List.of(fields.split(";", -1));
    if (names.size() > MAX_FIELDS || !names.contains("host")) {
      throw S3Failure.of(
          S3Code.ACCESS_DENIED, "The signature must cover the host and at most 64 headers.");
    }
    return names;
  }

  private static @Nullable Instant time(S3Request request) {
    String own = request.field("x-amz-date");
    if (own != null) {
      return parse(own);
    }
    String date = request.field("Date");
    try {
      return date == null
          ? null
          : ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return parse(String.valueOf(date));
    }
  }

  private static @Nullable Instant parse(String text) {
    try {
      return LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static S3Failure headerMalformed(String why) {
    return S3Failure.of(
        S3Code.AUTHORIZATION_HEADER_MALFORMED, "The authorization header is malformed; " + why);
  }

  private static S3Failure queryMalformed(String why) {
    return S3Failure.of(S3Code.AUTHORIZATION_QUERY_MALFORMED, why);
  }
}
