package io.quiver.gateway.door.block;

import io.quiver.core.order.SeededRandom;

/**
 * One block of one version of an object.
 *
 * @param object the object's name
 * @param version its version, with its size: old and new bytes never share a key
 * @param index the number of the block
 */
record BlockKey(String object, String version, int index) {
  /** Returns bits as good as random that tell this block from others of the door. */
  long bits() {
    long names = ((long) object.hashCode() << 32) ^ version.hashCode();
    return SeededRandom.derive(names, index);
  }
}
