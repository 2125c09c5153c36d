package io.quiver.core.name;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the names of blocks under one namespace key.
 *
 * <p>A name is the HMAC-SHA-256 of five parts: store, object, version, block size and number of the
 * block. Before each part stands its length, so that no two blocks are written alike. Doors with
 * the same key share what they have read; who does not have the key cannot guess a name.
 *
 * <pre>
 *   part:   length in bytes u32, bytes
 *   store, object, version: UTF-8
 *   block size, block: u64
 *   all numbers little-endian
 * </pre>
 *
 * Safe for use by several threads.
 */
public final class BlockNames {
  /** Bytes of the shortest key. */
  public static final int LEAST_KEY_BYTES = 16;

  private static final int STREAM_BYTES = 16;
  private static final String ALGORITHM = "HmacSHA256";

  // Never used itself: every name is made with a copy.
  private final Mac keyed;

  /**
   * Makes names under a key.
   *
   * @param key the namespace key, a secret of at least 16 bytes that all doors of a cluster share
   */
  public BlockNames(byte[] key) {
    if (key.length < LEAST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "a namespace key of "
              + key.length
              + " bytes; use at least "
              + LEAST_KEY_BYTES
              + " random ones");
    }
    try {
      keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(key, ALGORITHM));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("not a namespace key; use random bytes", e);
    }
  }

  /**
   * Returns the name of one block of one version of an object.
   *
   * @param store the store, spelled alike by all doors
   * @param object the object's name in the store
   * @param version the object's version, never empty: else old and new bytes would share names
   * @param blockBytes the length of every block but the last
   * @param block the number of the block, from 0
   */
  public BlockName of(String store, String object, String version, long blockBytes, long block) {
    if (version.isEmpty()) {
      throw new IllegalArgumentException(
          "object \"" + object + "\" without a version; read its version before its blocks");
    }
    if (blockBytes < 1 || block < 0) {
      throw new IllegalArgumentException(
          "block " + block + " of " + blockBytes + " bytes; sizes begin at 1, numbers at 0");
    }
    Mac mac = copy();
    update(mac, store);
    update(mac, object);
    update(mac, version);
    ByteBuffer numbers = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    numbers.putInt(Long.BYTES).putLong(blockBytes).putInt(Long.BYTES).putLong(block);
    mac.update(numbers.flip());
    return new BlockName(ContentHash.of(mac.doFinal()));
  }

  /**
   * Returns the hashed name of the stream of all reads below a path: doors tell managers of streams
   * without telling what they read.
   *
   * @param store the store, spelled alike by all doors
   * @param path a folder or an object in the store; empty for all of it
   */
  public String ofStream(String store, String path) {
    Mac mac = copy();
    update(mac, "stream");
    update(mac, store);
    update(mac, path);
    return HexFormat.of().formatHex(mac.doFinal(), 0, STREAM_BYTES);
  }

  private Mac copy() {
    try {
      return (Mac) keyed.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("this platform's " + ALGORITHM + " cannot be copied", e);
    }
  }

  /** Adds a part. Text that UTF-8 cannot spell is refused: spelled otherwise it could collide. */
  private static void update(Mac mac, String part) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(part));
      ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      mac.update(length.putInt(bytes.remaining()).flip());
      mac.update(bytes);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "\"" + part + "\" is no text that UTF-8 can spell; blocks of it have no names", e);
    }
  }
}
