package io.quiver.gateway.s3.message;

/**
 * The object that a copy is made of.
 *
 * @param bucket its bucket
 * @param key its key
 */
public record CopySource(String bucket, String key) {
  /** The header field that names it. */
  static final String FIELD = "x-amz-copy-source";

  /** Reads the header field. */
  public static CopySource of(S3Request request) throws S3Failure {
    String field = String.valueOf(request.field(FIELD));
    int query = field.indexOf('?');
    if (query >= 0 && !field.substring(query).equals("?versionId=null")) {
      throw S3Failure.of(S3Code.INVALID_ARGUMENT, "Copies are made of the newest version only.");
    }
    String path = PercentCoding.decodePath(query < 0 ? field : field.substring(0, query));
    String plain = path.startsWith("/") ? path.substring(1) : path;
    int slash = plain.indexOf('/');
    if (slash < 1 || slash == plain.length() - 1) {
      throw S3Failure.of(
          S3Code.INVALID_ARGUMENT,
          "Copy Source must mention the source bucket and key: bucket/key");
    }
    return new CopySource(plain.substring(0, slash), ObjectKey.require(plain.substring(slash + 1)));
  }
}
