package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.QueryParameters;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out who makes a request, by its signature of version 4. */
public final class Authenticator {
  private static final Duration MOST_SKEW = Duration.ofMinutes(15);
  private static final String CONTENT_HASH = "x-amz-content-sha256";

  private final AccessKeys keys;
  private final InstantSource clock;

  public Authenticator(AccessKeys keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** Returns who makes the request. */
  public Caller identify(S3Request request) throws S3Failure {
    String field = request.field("Authorization");
    QueryParameters query = request.query();
    if (field != null) {
      return field.startsWith(SignatureParts.ALGORITHM + " ")
          ? byHeader(request, field)
          : refuseOther();
    }
    if (query.has("X-Amz-Algorithm") || query.has(SignatureParts.SIGNATURE)) {
      return query.valueOrEmpty("X-Amz-Algorithm").equals(SignatureParts.ALGORITHM)
          ? byQuery(request)
          : refuseOther();
    }
    if (query.has("AWSAccessKeyId") || query.has("Signature")) {
      return refuseOther();
    }
    if (!keys.areAnonymous()) {
      throw Caller.denied();
    }
    requireNoOverrides(query);
    return Caller.ANYBODY;
  }

  private static Caller refuseOther() throws S3Failure {
    throw S3Failure.of(
        S3Code.INVALID_REQUEST,
        "The authorization mechanism you have provided is not supported. Please use "
            + SignatureParts.ALGORITHM
            + ".");
  }

  private static void requireNoOverrides(QueryParameters query) throws S3Failure {
    if (query.names().stream().anyMatch(name -> name.startsWith("response-"))) {
      throw S3Failure.of(
          S3Code.INVALID_REQUEST,
          "Request specific response headers cannot be used for anonymous GET requests.");
    }
  }

  private Caller byHeader(S3Request request, String field) throws S3Failure {
    SignatureParts parts = SignatureParts.ofHeader(request, field);
    AccessKey key = key(parts, request.field("x-amz-security-token"));
    requireSmallSkew(parts.signedAt());
    String hash = request.field(CONTENT_HASH);
    return verified(request, parts, key, PayloadKind.of(hash), String.valueOf(hash));
  }

  private Caller byQuery(S3Request request) throws S3Failure {
    SignatureParts parts = SignatureParts.ofQuery(request.query());
    AccessKey key = key(parts, request.query().value("X-Amz-Security-Token"));
    requireNotExpired(parts);
    String stated = request.query().value("X-Amz-Content-Sha256");
    String hash = stated == null ? request.field(CONTENT_HASH) : stated;
    String present = hash == null ? PayloadKind.UNSIGNED.text() : hash;
    return verified(request, parts, key, PayloadKind.of(present), present);
  }

  private static Caller verified(
      S3Request request, SignatureParts parts, AccessKey key, PayloadKind kind, String hash)
      throws S3Failure {
    ChunkSigner chunks = new SignatureCheck(request, parts).verify(key, hash);
    return new Caller(
        key, kind, kind == PayloadKind.HASHED ? hash : "", kind.hasSignedChunks() ? chunks : null);
  }

  private AccessKey key(SignatureParts parts, @Nullable String token) throws S3Failure {
    AccessKey key = keys.find(parts.accessKey());
    if (key == null) {
      throw S3Failure.of(
              S3Code.INVALID_ACCESS_KEY,
              "The AWS Access Key Id you provided does not exist in our records.")
          .with(Map.of("AWSAccessKeyId", parts.accessKey()));
    }
    if (token != null) {
      throw S3Failure.of(
          S3Code.INVALID_TOKEN,
          "Keys of this endpoint have no session tokens; unset AWS_SESSION_TOKEN.");
    }
    return key;
  }

  private void requireSmallSkew(Instant signedAt) throws S3Failure {
    Instant now = clock.instant();
    if (Duration.between(signedAt, now).abs().compareTo(MOST_SKEW) > 0) {
      throw S3Failure.of(
              S3Code.REQUEST_TIME_TOO_SKEWED,
              "The difference between the request time and the current time is too large.")
          .with(
              Map.of(
                  "RequestTime",
                  signedAt.toString(),
                  "ServerTime",
                  now.toString(),
                  "MaxAllowedSkewMilliseconds",
                  Long.toString(MOST_SKEW.toMillis())));
    }
  }

  private void requireNotExpired(SignatureParts parts) throws S3Failure {
    Instant now = clock.instant();
    Instant end = parts.signedAt().plusSeconds(parts.expirySeconds());
    if (parts.signedAt().isAfter(now.plus(MOST_SKEW))) {
      throw S3Failure.of(S3Code.REQUEST_EXPIRED, "Request is not yet valid");
    }
    if (now.isAfter(end)) {
      throw S3Failure.of(S3Code.REQUEST_EXPIRED, "Request has expired")
          .with(Map.of("Expires", end.toString(), "ServerTime", now.toString()));
    }
  }
}
