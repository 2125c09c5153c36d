package io.quiver.gateway.mount.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Tells the kernel which names to forget. A thread of its own does, because the kernel may hold the
 * folder's lock until a request under way has its answer. What finds the queue full is left out:
 * the kernel then learns of it when the freshness window ends.
 */
final class KernelNotices implements AutoCloseable {
  private static final int FORGET_NAME = 3;
  private static final int HEADER = 16;
  private static final int FIXED = 16;
  private static final int QUEUE = 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BlockingQueue<ByteBuffer> queue = new ArrayBlockingQueue<>(QUEUE);
  private final int descriptor;
  private final Thread thread;

  private KernelNotices(int descriptor) {
    this.descriptor = descriptor;
    this.thread = Thread.ofPlatform().daemon().name("mount-notices").unstarted(this::send);
  }

  /** Begins to take notices for the kernel at the other end of a descriptor. */
  static KernelNotices start(int descriptor) {
    KernelNotices notices = new KernelNotices(descriptor);
    notices.thread.start();
    return notices;
  }

  /** Lets the kernel forget a name in a folder, soon. */
  void forgetName(long folder, byte[] name) {
    int length = HEADER + FIXED + name.length + 1;
    ByteBuffer notice = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    notice.putInt(length).putInt(FORGET_NAME).putLong(0);
    notice.putLong(folder).putInt(name.length).putInt(0).put(name).put((byte) 0);
    boolean _ = queue.offer(notice.flip());
  }

  private void send() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.stateBytes(), 8);
      MemorySegment memory = arena.allocate(1024, 8);
      while (true) {
        ByteBuffer notice = queue.take();
        long length = notice.remaining();
        MemorySegment.copy(MemorySegment.ofBuffer(notice), 0, memory, 0, length);
        // An error means that the kernel does not remember the name.
        long _ = (long) NativeCalls.WRITE.invokeExact(state, descriptor, memory, length);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
