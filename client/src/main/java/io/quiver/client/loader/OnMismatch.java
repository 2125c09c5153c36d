package io.quiver.client.loader;

/** The treatment of an item whose bytes in the store are not those the digest names. */
public enum OnMismatch {
  /** It is served with a warning. Never inserted into the cache. */
  SERVE,
  /** The batch fails. */
  REFUSE
}
