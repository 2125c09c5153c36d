package io.quiver.remote;

import java.time.Instant;

/**
 * One object of a remote store.
 *
 * @param name its path below the store's root
 * @param size its length in bytes
 * @param version changes when the object's content does (an ETag, or time and size); empty where
 *     the store has none
 * @param modified the time of its last change; {@link Instant#EPOCH} where the store does not say
 */
public record RemoteObject(String name, long size, String version, Instant modified) {
  /** Makes an object whose time of change is not known. */
  public RemoteObject(String name, long size, String version) {
    this(name, size, version, Instant.EPOCH);
  }
}
