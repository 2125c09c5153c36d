package io.quiver.gateway.door.metadata;

import io.quiver.core.text.PlainDuration;
import java.time.Duration;

/**
 * Bounds on what a door remembers of its store.
 *
 * @param freshness how old details and listings may be; zero to ask the store each time
 * @param detailsBytes most memory for details of objects
 * @param listingBytes most memory for pages of listings
 */
public record MetadataBounds(Duration freshness, long detailsBytes, long listingBytes) {
  // First, because the constants below are checked against it.
  private static final Duration LONGEST = Duration.ofDays(1);

  /** The freshness of a mount. */
  public static final Duration MOUNT_FRESHNESS = Duration.ofSeconds(60);

  /** The freshness of an S3 endpoint. */
  public static final Duration S3_FRESHNESS = Duration.ofSeconds(5);

  /** A minute, with 128 MiB for details and 64 MB for listings. */
  public static final MetadataBounds STANDARD =
      new MetadataBounds(MOUNT_FRESHNESS, 128L << 20, 64_000_000);

  /** Checks the bounds. */
  public MetadataBounds {
    if (freshness.isNegative() || freshness.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a freshness of " + PlainDuration.of(freshness) + "; use 0 seconds to a day");
    }
    if (detailsBytes < 0 || listingBytes < 0) {
      throw new IllegalArgumentException(
          "memory of "
              + detailsBytes
              + " bytes for details and "
              + listingBytes
              + " for listings; neither may be negative");
    }
  }

  /** Returns a copy with another freshness. */
  public MetadataBounds withFreshness(Duration value) {
    return new MetadataBounds(value, detailsBytes, listingBytes);
  }
}
