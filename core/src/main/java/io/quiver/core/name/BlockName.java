package io.quiver.core.name;

import io.quiver.core.hash.ContentHash;

/**
 * The name of one block of one version of an object. It has the shape of a content hash and is
 * placed like one, but it is made from where the block lies, not from its bytes.
 *
 * <p>Who knows a name learns the hash it is bound to, so a name is as secret as a hash.
 *
 * @param key the 32 bytes of the name
 */
public record BlockName(ContentHash key) {
  /** Returns the slot that decides which server owns this name. */
  public int slot() {
    return key.slot();
  }

  /** Returns the first eight digits: enough to recognise, not enough to read the block. */
  @Override
  public String toString() {
    return "name " + key;
  }
}
