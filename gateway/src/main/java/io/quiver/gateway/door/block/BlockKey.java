package io.quiver.gateway.door.block;

/**
 * One block of one version of an object.
 *
 * @param object the object's name
 * @param version its version, with its size: old and new bytes never share a key
 * @param index the number of the block
 */
record BlockKey(String object, String version, int index) {}
