package io.quiver.remote;

/**
 * One object of a remote store.
 *
 * @param name its path below the store's root
 * @param size its length in bytes
 * @param version changes when the object's content does (an ETag, or time and size); empty where
 *     the store has none
 */
public record RemoteObject(String name, long size, String version) {}
