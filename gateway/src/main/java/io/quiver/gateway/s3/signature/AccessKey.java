package io.quiver.gateway.s3.signature;

import io.quiver.remote.Secret;
import java.util.List;

/**
 * Somebody who may use the endpoint.
 *
 * @param id the access key
 * @param secret the secret key
 * @param user the name that logs show
 * @param profile the profile whose credentials the store is asked with; empty for the endpoint's
 *     own
 * @param grants everything the key may do
 */
public record AccessKey(String id, Secret secret, String user, String profile, List<Grant> grants) {
  /** Everybody on this machine, where the endpoint was told to ask for no signatures. */
  static final AccessKey ANYBODY =
      new AccessKey(
          "", Secret.of(""), "anybody", "", List.of(new Grant(false, Grant.ANY_BUCKET, "")));

  public AccessKey {
    grants = List.copyOf(grants);
  }

  /** Returns true if something in the bucket is granted. */
  public boolean knows(String bucket) {
    return grants.stream().anyMatch(grant -> grant.isAbout(bucket));
  }

  /** Returns true if this is granted for every key that begins so. */
  boolean allows(boolean writing, String bucket, String key) {
    for (Grant grant : grants) {
      if (grant.allows(writing, bucket, key)) {
        return true;
      }
    }
    return false;
  }
}
