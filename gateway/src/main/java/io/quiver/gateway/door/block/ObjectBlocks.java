package io.quiver.gateway.door.block;

import io.quiver.remote.RemoteObject;
import java.nio.charset.StandardCharsets;

/**
 * One version of an object, cut into blocks of equal length; the last is shorter.
 *
 * @param object the version
 * @param blockBytes the length of a block
 * @param version tells this version from all others of the object
 * @param shared true if the version is known, so that other doors can have its blocks
 */
public record ObjectBlocks(RemoteObject object, int blockBytes, String version, boolean shared) {

  /**
   * Cuts a version.
   *
   * @param fallback stands for the version of an object that has none
   */
  public static ObjectBlocks of(RemoteObject object, int blockBytes, String fallback) {
    boolean known = !object.version().isEmpty();
    boolean shared = known && isText(object.name()) && isText(object.version());
    String version = (known ? object.version() : fallback) + "/" + object.size();
    if (Math.ceilDiv(object.size(), blockBytes) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "'" + object.name() + "' of " + object.size() + " bytes has too many blocks");
    }
    return new ObjectBlocks(object, blockBytes, version, shared);
  }

  /** Returns true if UTF-8 can spell it; what cannot be spelled has no name in the cache. */
  private static boolean isText(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** Returns the number of blocks. */
  public int count() {
    return (int) Math.ceilDiv(object.size(), blockBytes);
  }

  /** Returns the block that a byte lies in. */
  public int index(long offset) {
    return (int) (offset / blockBytes);
  }

  /** Returns where a block begins. */
  public long start(int index) {
    return (long) index * blockBytes;
  }

  /** Returns the length of a block. */
  public int length(int index) {
    return (int) Math.min(blockBytes, object.size() - start(index));
  }

  BlockKey key(int index) {
    return new BlockKey(object.name(), version, index);
  }
}
