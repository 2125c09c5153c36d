package io.quiver.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assembles an answer for as few system calls as possible: heads and small payloads are copied into
 * one staging buffer, large payloads are sent from where they lie, and both leave in gathered
 * writes. Belongs to one connection, which reuses it for every answer.
 */
public final class AnswerWriter {
  /**
   * Payloads up to this length are copied: below it, describing a buffer to the kernel costs more
   * than moving its bytes. At 3 KB copying took 1.3 to 1.7 times the server's processor time.
   */
  private static final int COPY_BYTES = 1 << 10;

  private static final int MAX_BUFFERS = 1024;

  /** Suffices for most connections of a manager, of which there are thousands. */
  private static final int FIRST_BUFFERS = 16;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Transport transport;
  private final DirectBuffers pool;
  private ByteBuffer[] buffers = new ByteBuffer[FIRST_BUFFERS];
  private @Nullable ByteBuffer staging;
  private int count;
  private int runStart;

  AnswerWriter(Transport transport, DirectBuffers pool) {
    this.transport = transport;
    this.pool = pool;
  }

  /** Returns a buffer for this many bytes, all of which the caller puts before it appends more. */
  public ByteBuffer reserve(int bytes) throws IOException {
    ByteBuffer target = staging();
    if (bytes > target.capacity()) {
      flush();
      ByteBuffer own = ByteBuffer.allocate(bytes);
      add(own.duplicate());
      return own;
    }
    if (target.remaining() < bytes) {
      flush();
    }
    return staging();
  }

  /** Sends a payload after everything appended before; its bytes must stay until the flush. */
  public void append(ByteBuffer payload) throws IOException {
    int length = payload.remaining();
    if (length > COPY_BYTES) {
      closeRun();
      add(payload);
    } else if (length > 0) {
      reserve(length).put(payload);
    }
  }

  /** Sends everything appended so far. */
  public void flush() throws IOException {
    closeRun();
    try {
      transport.write(buffers, count);
    } finally {
      clear();
    }
  }

  /** Forgets what was appended and gives the staging buffer back. */
  void release() {
    clear();
    if (staging != null) {
      pool.give(staging);
      staging = null;
    }
  }

  private ByteBuffer staging() {
    ByteBuffer present = staging;
    if (present == null) {
      present = pool.take();
      staging = present;
    }
    return present;
  }

  private void clear() {
    Arrays.fill(buffers, 0, count, NOTHING);
    count = 0;
    runStart = 0;
    if (staging != null) {
      staging.clear();
    }
  }

  private void closeRun() throws IOException {
    ByteBuffer target = staging;
    if (target != null && target.position() > runStart) {
      ByteBuffer run = target.slice(runStart, target.position() - runStart);
      runStart = target.position();
      add(run);
    }
  }

  private void add(ByteBuffer buffer) throws IOException {
    buffers[count++] = buffer;
    if (count == MAX_BUFFERS) {
      flush();
    } else if (count == buffers.length) {
      buffers = Arrays.copyOf(buffers, Math.min(MAX_BUFFERS, 8 * count));
    }
  }
}
