package io.quiver.gateway.s3.store;

import java.io.IOException;

/** Opens the stores behind buckets. */
@FunctionalInterface
public interface StoreOpener {
  /**
   * Opens a store. The caller closes it.
   *
   * @param address where its objects are
   * @param profile the profile whose credentials it is asked with; empty for the usual ones
   */
  OpenStore open(String address, String profile) throws IOException;
}
