package io.quiver.gateway.s3.message;

import java.util.Set;
import java.util.regex.Pattern;

/** The names that buckets may have here: S3's own, and what older tools made of them. */
public final class BucketName {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  /** Paths of this endpoint's own pages. */
  private static final Set<String> RESERVED = Set.of("healthz", "metrics");

  private BucketName() {}

  /** Returns true if a bucket may be called so. */
  public static boolean isValid(String name) {
    return ALLOWED.matcher(name).matches() && !RESERVED.contains(name);
  }

  /** Returns the name. */
  public static String require(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no name of a bucket; use 1 to 63 letters, digits, '.', '_' and '-', and not "
              + String.join(" or ", RESERVED.stream().sorted().toList()));
    }
    return name;
  }
}
