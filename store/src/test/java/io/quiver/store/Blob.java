package io.quiver.store;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.Random;

/** A blob for tests: content that a number determines, so that a reader can tell it is right. */
public final class Blob {
  private final ContentHash hash;
  private final byte[] content;

  private Blob(ContentHash hash, byte[] content) {
    this.hash = hash;
    this.content = content;
  }

  /** Random content of this length. */
  public static Blob random(Random random, int length) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    return of(content);
  }

  /** The content that belongs to a number. */
  public static Blob numbered(long number, int length) {
    return random(new Random(number * 0x9E3779B97F4A7C15L + 1), length);
  }

  /** A blob of these bytes. */
  public static Blob of(byte[] content) {
    return new Blob(ContentHash.ofContent(content), content);
  }

  /** Its name. */
  public ContentHash hash() {
    return hash;
  }

  /** Its bytes, not to be written to. */
  public byte[] content() {
    return content;
  }

  /** The content as a buffer. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(content);
  }

  /** All bytes of a buffer. */
  public static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
