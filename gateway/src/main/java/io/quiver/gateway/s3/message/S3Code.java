package io.quiver.gateway.s3.message;

/** The codes of S3's errors that this endpoint answers, each with its HTTP status. */
public enum S3Code {
  ACCESS_DENIED("AccessDenied", 403),
  AUTHORIZATION_HEADER_MALFORMED("AuthorizationHeaderMalformed", 400),
  AUTHORIZATION_QUERY_MALFORMED("AuthorizationQueryParametersError", 400),
  BAD_DIGEST("BadDigest", 400),
  BUCKET_EXISTS("BucketAlreadyOwnedByYou", 409),
  CONTENT_HASH_MISMATCH("XAmzContentSHA256Mismatch", 400),
  ENTITY_TOO_LARGE("EntityTooLarge", 400),
  INCOMPLETE_BODY("IncompleteBody", 400),
  INTERNAL_ERROR("InternalError", 500),
  INVALID_ACCESS_KEY("InvalidAccessKeyId", 403),
  INVALID_ARGUMENT("InvalidArgument", 400),
  INVALID_BUCKET_NAME("InvalidBucketName", 400),
  INVALID_DIGEST("InvalidDigest", 400),
  INVALID_PART_NUMBER("InvalidPartNumber", 416),
  INVALID_RANGE("InvalidRange", 416),
  INVALID_REQUEST("InvalidRequest", 400),
  INVALID_TOKEN("InvalidToken", 400),
  INVALID_URI("InvalidURI", 400),
  KEY_TOO_LONG("KeyTooLongError", 400),
  MALFORMED_XML("MalformedXML", 400),
  METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
  MISSING_LENGTH("MissingContentLength", 411),
  NO_SUCH_BUCKET("NoSuchBucket", 404),
  NO_SUCH_KEY("NoSuchKey", 404),
  NOT_IMPLEMENTED("NotImplemented", 501),
  PRECONDITION_FAILED("PreconditionFailed", 412),
  REQUEST_EXPIRED("AccessDenied", 403),
  REQUEST_TIME_TOO_SKEWED("RequestTimeTooSkewed", 403),
  SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
  SIGNATURE_DOES_NOT_MATCH("SignatureDoesNotMatch", 403),
  SLOW_DOWN("SlowDown", 503);

  private final String text;
  private final int status;

  S3Code(String text, int status) {
    this.text = text;
    this.status = status;
  }

  /** Returns the code as it stands in the document. */
  public String text() {
    return text;
  }

  /** Returns the HTTP status. */
  int status() {
    return status;
  }
}
