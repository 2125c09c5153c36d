package io.quiver.protocol;

import java.nio.ByteBuffer;

/** The question of a get: for whole blobs, or for parts of them. */
public sealed interface GetFrame permits AskFrame, PartsFrame {
  /** Bytes of the longest question. */
  int MAX_BYTES = Math.max(AskFrame.MAX_BYTES, PartsFrame.MAX_BYTES);

  /** Reads a whole question of either form from the remaining bytes of a buffer. */
  static GetFrame parse(ByteBuffer buffer) throws FrameException {
    return PartsFrame.begins(buffer) ? PartsFrame.parse(buffer) : AskFrame.parse(buffer);
  }

  /** Returns how many rows the answer has. */
  int rows();

  /** Returns the length of this question on the wire. */
  int bytes();

  /** Appends the question to a buffer. */
  void write(ByteBuffer target);
}
