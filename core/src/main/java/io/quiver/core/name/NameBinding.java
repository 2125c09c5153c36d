package io.quiver.core.name;

import io.quiver.core.hash.ContentHash;

/**
 * The blob that a name stands for.
 *
 * @param name the block
 * @param hash the hash of the block's bytes
 * @param length the block's length in bytes
 */
public record NameBinding(BlockName name, ContentHash hash, long length) {
  /** Checks the length. */
  public NameBinding {
    if (length < 0) {
      throw new IllegalArgumentException("a block of " + length + " bytes");
    }
  }
}
