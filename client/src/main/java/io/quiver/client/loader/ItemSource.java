package io.quiver.client.loader;

/** The sources of an item's bytes. */
public enum ItemSource {
  /** The cache had it when it was asked for. */
  CACHE,
  /** The cache got it from another job while this one waited. */
  COOPERATIVE,
  /** This job read it from the store. */
  STORE
}
