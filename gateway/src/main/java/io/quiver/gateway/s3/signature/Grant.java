package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.BucketName;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * One permission of an access key.
 *
 * @param write true for changing objects, false for reading and listing them
 * @param bucket the bucket, or {@link #ANY_BUCKET}
 * @param prefix what keys begin with; empty for all keys
 */
public record Grant(boolean write, String bucket, String prefix) {
  /** Stands for every bucket. */
  static final String ANY_BUCKET = "*";

  /** Parses {@code read:BUCKET}, {@code write:BUCKET/PREFIX} and the like. */
  static Grant parse(String text) {
    boolean write = text.startsWith("write:");
    if (!write && !text.startsWith("read:")) {
      throw malformed(text);
    }
    String place = text.substring(text.indexOf(':') + 1);
    int slash = place.indexOf('/');
    String bucket = slash < 0 ? place : place.substring(0, slash);
    if (!bucket.equals(ANY_BUCKET) && !BucketName.isValid(bucket)) {
      throw malformed(text);
    }
    String prefix = slash < 0 ? "" : place.substring(slash + 1);
    return new Grant(
        write, bucket, URLDecoder.decode(prefix.replace("+", "%2B"), StandardCharsets.UTF_8));
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is no grant; write read:BUCKET, write:BUCKET/PREFIX or read:*");
  }

  /** Returns true if the grant is about this bucket, whatever the key. */
  boolean isAbout(String name) {
    return bucket.equals(ANY_BUCKET) || bucket.equals(name);
  }

  /** Returns true if the grant allows this for every key that begins so. */
  boolean allows(boolean writing, String name, String key) {
    return write == writing && isAbout(name) && key.startsWith(prefix);
  }
}
