package io.quiver.store;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.Random;

/** A test blob whose content follows from a number, so that a reader can tell it is right. */
public final class Blob {
  private final ContentHash hash;
  private final byte[] content;

  private Blob(ContentHash hash, byte[] content) {
    this.hash = hash;
    this.content = content;
  }

  /** Returns a blob of random content of this length. */
  public static Blob random(Random random, int length) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    return of(content);
  }

  /** Returns the blob whose content follows from a number. */
  public static Blob numbered(long number, int length) {
    return random(new Random(number * 0x9E3779B97F4A7C15L + 1), length);
  }

  /** Returns a blob of these bytes. */
  public static Blob of(byte[] content) {
    return new Blob(ContentHash.ofContent(content), content);
  }

  /** Returns the hash of the content. */
  public ContentHash hash() {
    return hash;
  }

  /** Returns the content, which must not be changed. */
  public byte[] content() {
    return content;
  }

  /** Returns the content as a buffer. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(content);
  }

  /** Returns all bytes of a buffer. */
  public static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
