package io.quiver.remote;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reaching an S3 service. Credentials come from the SDK's default chain: environment,
 * profile files, web identity, container and instance roles.
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

  /**
   * Returns a copy for another service at this address, with buckets in the path as such services
   * expect.
   */
  public S3Config withEndpoint(URI address) {
    return new S3Config(address, region, true, anonymous, profile);
  }

  /** Returns a copy that signs for this region. */
  public S3Config withRegion(String name) {
    return new S3Config(endpoint, name, pathStyle, anonymous, profile);
  }

  /** Returns a copy that puts the bucket in the path, or in the host name. */
  public S3Config withPathStyle(boolean wanted) {
    return new S3Config(endpoint, region, wanted, anonymous, profile);
  }

  /** Returns a copy that sends unsigned requests, or not. */
  public S3Config withAnonymous(boolean wanted) {
    return new S3Config(endpoint, region, pathStyle, wanted, profile);
  }

  /** Returns a copy that takes credentials and region from this profile. */
  public S3Config withProfile(String name) {
    return new S3Config(endpoint, region, pathStyle, anonymous, name);
  }
}
