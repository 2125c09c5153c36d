package io.quiver.gateway.s3.write;

import io.quiver.gateway.door.OpenObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A range of an open object as a stream, for those who store it elsewhere. */
public final class ObjectStream extends InputStream {
  private final OpenObject object;
  private final long end;
  private long position;

  ObjectStream(OpenObject object, long offset, long length) {
    this.object = object;
    this.position = offset;
    this.end = offset + length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (position == end) {
      return -1;
    }
    int wanted = (int) Math.min(count, end - position);
    int step = object.read(position, ByteBuffer.wrap(target, offset, wanted));
    if (step <= 0) {
      throw new EOFException("the object ends at " + position + ", before its size");
    }
    position += step;
    return step;
  }
}
