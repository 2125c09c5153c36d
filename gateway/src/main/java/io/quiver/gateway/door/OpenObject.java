package io.quiver.gateway.door;

import io.quiver.remote.ObjectDetails;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One object at one version, open for reading. The door watches the offsets of each handle to read
 * ahead of sequential readers. Safe for use by many threads.
 */
public interface OpenObject extends AutoCloseable {

  /** Returns the details this handle was opened with. Size and version never change. */
  ObjectDetails details();

  /**
   * Tells who reads, before the first read: handles of one program are one reader.
   *
   * @param reader a process or a connection, as far as readers can be told apart
   */
  default void readBy(long reader) {}

  /**
   * Reads bytes from an offset on until the target is full or the object ends.
   *
   * @return the number of bytes read; 0 if the target has no room or the offset is at or past the
   *     end
   * @throws io.quiver.remote.ChangedObjectException if the store has another version now and the
   *     cache does not have the bytes; the target's content is then undefined
   */
  int read(long offset, ByteBuffer target) throws IOException;

  /**
   * Passes the bytes of a range to a consumer, piece by piece, without copying where the door has
   * them in memory.
   *
   * @param length the bytes to pass; the range lies within the object
   */
  void transfer(long offset, long length, ByteConsumer consumer) throws IOException;

  /** Ends the handle. Its reads under way finish. */
  @Override
  void close();

  /** Takes the pieces of a range, in order. */
  @FunctionalInterface
  interface ByteConsumer {
    /** Takes one piece. The buffer is valid until this call returns. */
    void accept(ByteBuffer piece) throws IOException;
  }
}
