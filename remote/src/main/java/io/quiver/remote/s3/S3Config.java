package io.quiver.remote.s3;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an S3 service. Credentials come from the SDK's default chain: environment, profile
 * files, web identity, container and instance roles.
 *
 * @param endpoint another service than Amazon's own, such as a MinIO or Ceph gateway
 * @param region the region to sign for; the SDK's default chain decides when absent
 * @param pathStyle put the bucket in the path rather than in the host name
 * @param anonymous send unsigned requests, for public buckets
 * @param profile the profile to take credentials and region from
 */
public record S3Config(
    @Nullable URI endpoint,
    @Nullable String region,
    boolean pathStyle,
    boolean anonymous,
    @Nullable String profile) {

  /** Amazon's own service with the SDK's default credentials. */
  public static final S3Config DEFAULT = new S3Config(null, null, false, false, null);

  /** Another service at this address, buckets in the path as such services expect. */
  public S3Config withEndpoint(URI address) {
    return new S3Config(address, region, true, anonymous, profile);
  }

  /** Signs for this region. */
  public S3Config withRegion(String name) {
    return new S3Config(endpoint, name, pathStyle, anonymous, profile);
  }

  /** Puts the bucket in the path, or in the host name. */
  public S3Config withPathStyle(boolean wanted) {
    return new S3Config(endpoint, region, wanted, anonymous, profile);
  }

  /** Sends unsigned requests. */
  public S3Config withAnonymous(boolean wanted) {
    return new S3Config(endpoint, region, pathStyle, wanted, profile);
  }

  /** Takes credentials and region from this profile. */
  public S3Config withProfile(String name) {
    return new S3Config(endpoint, region, pathStyle, anonymous, name);
  }
}
