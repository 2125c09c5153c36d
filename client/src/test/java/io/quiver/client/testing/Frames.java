package io.quiver.client.testing;

import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.FrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Makes answers for scripts. */
public final class Frames {
  private Frames() {}

  /** Returns the request in a body. */
  public static AskFrame ask(ByteBuffer body) throws IOException {
    try {
      return AskFrame.parse(body);
    } catch (FrameException e) {
      throw new IOException(e);
    }
  }

  /**
   * Returns an answer in which every hash is a hit with these bytes and a checksum changed like
   * this.
   */
  public static ByteBuffer hits(int count, byte[] content, int checksumError) {
    ByteBuffer body = ByteBuffer.allocate(AnswerFrame.bytes(count) + count * content.length);
    AnswerFrame frame = AnswerFrame.allocate(body, count);
    for (int i = 0; i < count; i++) {
      frame.setHit(i, content.length, crc32c(content) ^ checksumError);
      body.put(content);
    }
    return body.flip();
  }

  /** Returns an answer with as many hits of these bytes as were wanted, and nothing else. */
  public static ByteBuffer hits(AskFrame ask, byte[] content) {
    int count = ask.hashes().size();
    ByteBuffer body = ByteBuffer.allocate(AnswerFrame.bytes(count) + ask.want() * content.length);
    AnswerFrame frame = AnswerFrame.allocate(body, count);
    for (int i = 0; i < count; i++) {
      if (i < ask.want()) {
        frame.setHit(i, content.length, crc32c(content));
        body.put(content);
      } else {
        frame.set(i, AskStatus.SKIPPED);
      }
    }
    return body.flip();
  }

  /** Returns the answer to a lookup that finds everything. */
  public static ByteBuffer found(AskFrame ask) {
    int count = ask.hashes().size();
    ByteBuffer body = ByteBuffer.allocate(AnswerFrame.bytes(count));
    AnswerFrame frame = AnswerFrame.allocate(body, count);
    for (int i = 0; i < count; i++) {
      frame.set(i, AskStatus.HIT);
    }
    return body.flip();
  }

  private static int crc32c(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }
}
