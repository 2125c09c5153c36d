package io.quiver.gateway.s3.message;

import io.quiver.remote.RemoteObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that a request sets on an object, in S3's order: tags count before times, and a
 * tag that agrees makes the time of the same question meaningless. A time that is malformed, or
 * that the store does not know, sets no condition.
 */
public final class Conditions {
  private Conditions() {}

  /** Returns true if a request sets any. */
  public static boolean areSet(S3Request request) {
    return request.field("If-Match") != null
        || request.field("If-None-Match") != null
        || request.field("If-Modified-Since") != null
        || request.field("If-Unmodified-Since") != null;
  }

  /**
   * Returns true if the object is what the client has already.
   *
   * @throws S3Failure if the object is not what the client wants
   */
  public static boolean notModified(S3Request request, RemoteObject object) throws S3Failure {
    return notModified(
        request.field("If-Match"),
        request.field("If-None-Match"),
        request.field("If-Modified-Since"),
        request.field("If-Unmodified-Since"),
        object);
  }

  /** Decides about the source of a copy, whose conditions have names of their own. */
  public static void requireCopySource(S3Request request, RemoteObject object) throws S3Failure {
    String prefix = "x-amz-copy-source-if-";
    if (notModified(
        request.field(prefix + "match"),
        request.field(prefix + "none-match"),
        request.field(prefix + "modified-since"),
        request.field(prefix + "unmodified-since"),
        object)) {
      throw failed(prefix + "none-match");
    }
  }

  private static boolean notModified(
      @Nullable String match,
      @Nullable String noneMatch,
      @Nullable String modifiedSince,
      @Nullable String unmodifiedSince,
      RemoteObject object)
      throws S3Failure {
    String tag = ObjectTag.of(object);
    if (match != null) {
      if (!ObjectTag.listed(match, tag)) {
        throw failed("If-Match");
      }
    } else if (isModifiedSince(object, unmodifiedSince, false)) {
      throw failed("If-Unmodified-Since");
    }
    return noneMatch != null
        ? ObjectTag.listed(noneMatch, tag)
        : (modifiedSince != null && !isModifiedSince(object, modifiedSince, true));
  }

  private static boolean isModifiedSince(
      RemoteObject object, @Nullable String field, boolean otherwise) {
    Instant time = field == null ? null : S3Time.parse(field);
    if (time == null || object.modified().equals(Instant.EPOCH)) {
      return otherwise;
    }
    return S3Time.seconds(object.modified()).isAfter(time);
  }

  private static S3Failure failed(String condition) {
    return S3Failure.of(
            S3Code.PRECONDITION_FAILED,
            "At least one of the pre-conditions you specified did not hold")
        .with(java.util.Map.of("Condition", condition));
  }
}
