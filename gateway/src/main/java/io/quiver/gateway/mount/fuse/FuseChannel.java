package io.quiver.gateway.mount.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way to the kernel: the buffers for a request and its reply, and the descriptor of
 * {@code /dev/fuse}. The memory lives as long as the channel is open.
 */
final class FuseChannel implements AutoCloseable {
  /** The largest read or listing the kernel may ask for. */
  static final int MAX_PAYLOAD = 1 << 20;

  /** The kernel refuses smaller buffers; requests of a read-only file system are far smaller. */
  private static final int REQUEST_BYTES = 1 << 16;

  private static final int REPLY_HEADER = 16;
  private static final long VECTOR_BYTES = 32;

  private final Arena arena = Arena.ofConfined();
  private final int descriptor;
  private final MemorySegment state = arena.allocate(NativeCalls.stateBytes(), 8);
  private final MemorySegment vectors = arena.allocate(VECTOR_BYTES, 8);
  private final MemorySegment requestMemory = arena.allocate(REQUEST_BYTES, 8);
  private final MemorySegment replyMemory = arena.allocate(REPLY_HEADER + MAX_PAYLOAD, 4096);
  private final ByteBuffer request = buffer(requestMemory);
  private final ByteBuffer reply = buffer(replyMemory);
  private final ByteBuffer payload = buffer(replyMemory.asSlice(REPLY_HEADER, MAX_PAYLOAD));

  FuseChannel(int descriptor) {
    this.descriptor = descriptor;
  }

  private static ByteBuffer buffer(MemorySegment memory) {
    return memory.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /**
   * Waits for the next request.
   *
   * @return the request from its header on; null once the file system is not mounted any more
   */
  @Nullable ByteBuffer receive() {
    while (true) {
      long count;
      try {
        count =
            (long)
                NativeCalls.READ.invokeExact(
                    state, descriptor, requestMemory, (long) REQUEST_BYTES);
      } catch (Throwable thrown) {
        throw NativeCalls.unexpected(thrown);
      }
      if (count > 0) {
        return request.clear().limit((int) count);
      }
      int errno = NativeCalls.errno(state);
      // ENOENT: the request was interrupted before it was read.
      boolean passing =
          errno == NativeCalls.EINTR || errno == NativeCalls.EAGAIN || errno == NativeCalls.ENOENT;
      if (count == 0 || !passing) {
        return null;
      }
    }
  }

  /** Returns the empty buffer for what follows the header of a reply. */
  ByteBuffer payload() {
    return payload.clear();
  }

  /** Sends what was written to the payload. */
  void sendPayload(long request) {
    int length = REPLY_HEADER + payload.position();
    header(length, 0, request);
    write(length);
  }

  /** Sends an error and no payload. */
  void fail(long request, FuseErrno errno) {
    header(REPLY_HEADER, -errno.number(), request);
    write(REPLY_HEADER);
  }

  /** Sends the bytes of a direct buffer, without copying them first. */
  void send(long request, ByteBuffer bytes) {
    int length = bytes.remaining();
    header(REPLY_HEADER + length, 0, request);
    MemorySegment body = MemorySegment.ofBuffer(bytes);
    vectors.set(ValueLayout.JAVA_LONG, 0, replyMemory.address());
    vectors.set(ValueLayout.JAVA_LONG, 8, REPLY_HEADER);
    vectors.set(ValueLayout.JAVA_LONG, 16, body.address());
    vectors.set(ValueLayout.JAVA_LONG, 24, length);
    try {
      // An error means that nobody waits for the answer any more.
      long _ = (long) NativeCalls.WRITEV.invokeExact(state, descriptor, vectors, 2);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  private void header(int length, int error, long request) {
    reply.putInt(0, length).putInt(4, error).putLong(8, request);
  }

  private void write(int length) {
    try {
      long _ = (long) NativeCalls.WRITE.invokeExact(state, descriptor, replyMemory, (long) length);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
