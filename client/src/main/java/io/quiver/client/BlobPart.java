package io.quiver.client;

import io.quiver.core.hash.ContentHash;

/**
 * A range of bytes of one blob.
 *
 * @param hash the blob
 * @param offset where the range begins
 * @param length its length, at least 1
 */
public record BlobPart(ContentHash hash, long offset, int length) {
  /** Checks the range. */
  public BlobPart {
    if (offset < 0 || length < 1) {
      throw new IllegalArgumentException(
          "a part of " + length + " bytes at " + offset + "; it has at least one byte");
    }
  }
}
