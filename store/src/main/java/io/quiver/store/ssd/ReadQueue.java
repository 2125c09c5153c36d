package io.quiver.store.ssd;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Hands the kernel many reads past the page cache with one system call and takes their outcomes
 * with another, through Linux AIO. A thread for each read costs two to three times the processor
 * time: most of it is waking and putting to sleep.
 *
 * <p>One thread at a time uses a queue. The memory of a read must stay until its outcome is taken
 * or the queue is closed, which waits for what is under way.
 */
final class ReadQueue implements AutoCloseable {
  /** The most reads under way. */
  static final int DEPTH = 32;

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long IO_SETUP = ARM ? 0 : 206;
  private static final long IO_DESTROY = ARM ? 1 : 207;
  private static final long IO_SUBMIT = ARM ? 2 : 209;
  private static final long IO_GETEVENTS = ARM ? 4 : 208;
  private static final int EINTR = 4;

  // struct iocb; the opcode of a read is 0, as are the fields that are not named here.
  private static final long REQUEST_BYTES = 64;
  private static final long REQUEST_TAG = 0;
  private static final long REQUEST_DESCRIPTOR = 20;
  private static final long REQUEST_ADDRESS = 24;
  private static final long REQUEST_LENGTH = 32;
  private static final long REQUEST_POSITION = 40;

  // struct io_event
  private static final long OUTCOME_BYTES = 32;
  private static final long OUTCOME_TAG = 0;
  private static final long OUTCOME_REQUEST = 8;
  private static final long OUTCOME_RESULT = 16;

  // The queue's memory: requests, pointers to those to submit, outcomes, the context's number.
  private static final long POINTERS = DEPTH * REQUEST_BYTES;
  private static final long OUTCOMES = POINTERS + (long) DEPTH * Long.BYTES;
  private static final long CONTEXT = OUTCOMES + DEPTH * OUTCOME_BYTES;
  private static final long ERRORS = CONTEXT + Long.BYTES;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
  private static final long ERRNO_OFFSET =
      ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle SYSCALL =
      Libc.find(
          "syscall",
          FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG),
          Linker.Option.firstVariadicArg(1),
          Linker.Option.captureCallState("errno"));

  private final MemorySegment memory = Libc.zeroed(ERRORS + ERRNO.byteSize());
  private final MemorySegment errors = memory.asSlice(ERRORS, ERRNO.byteSize());
  private final long[] unused = new long[DEPTH];
  private final int[] refused = new int[DEPTH];
  private int unusedCount;
  private int refusedCount;
  private int added;
  private int underWay;
  private int taken;

  private ReadQueue() {
    for (int i = 0; i < DEPTH; i++) {
      unused[unusedCount++] = memory.address() + i * REQUEST_BYTES;
    }
  }

  /** Opens a queue; empty where the system has none, or none left. */
  static Optional<ReadQueue> open() {
    if (!ARM && !System.getProperty("os.arch").equals("amd64")) {
      return Optional.empty();
    }
    ReadQueue queue = new ReadQueue();
    if (queue.call(IO_SETUP, DEPTH, queue.memory.address() + CONTEXT, 0, 0) < 0) {
      Libc.free(queue.memory);
      return Optional.empty();
    }
    return Optional.of(queue);
  }

  /** Returns true if another read can be added. */
  boolean hasRoom() {
    return unusedCount > 0;
  }

  /** Returns true if no read is without an outcome. */
  boolean isEmpty() {
    return unusedCount == DEPTH;
  }

  /**
   * Adds a read that the next {@link #exchange} hands to the kernel.
   *
   * @param tag tells its outcome from others
   */
  void add(int tag, int descriptor, MemorySegment target, long length, long position) {
    long address = unused[--unusedCount];
    long request = address - memory.address();
    memory.set(LONG, request + REQUEST_TAG, tag);
    memory.set(INT, request + REQUEST_DESCRIPTOR, descriptor);
    memory.set(LONG, request + REQUEST_ADDRESS, target.address());
    memory.set(LONG, request + REQUEST_LENGTH, length);
    memory.set(LONG, request + REQUEST_POSITION, position);
    memory.set(LONG, POINTERS + (long) added * Long.BYTES, address);
    added++;
  }

  /**
   * Submits what was added, and waits for outcomes.
   *
   * @param atLeast how many to wait for, if so many are under way
   * @return how many there are, for {@link #tag} and {@link #result}
   */
  int exchange(int atLeast) {
    submit();
    if (refusedCount > 0) {
      taken = 0;
      return refusedCount;
    }
    long count;
    do {
      count =
          call(
              IO_GETEVENTS,
              context(),
              Math.min(atLeast, underWay),
              DEPTH,
              memory.address() + OUTCOMES);
    } while (count < 0 && errno() == EINTR);
    if (count < 0) {
      throw new IllegalStateException("no outcomes of reads: error " + errno());
    }
    taken = (int) count;
    underWay -= taken;
    for (int i = 0; i < taken; i++) {
      unused[unusedCount++] = memory.get(LONG, outcome(i) + OUTCOME_REQUEST);
    }
    return taken;
  }

  /** Hands over what was added; what the kernel refuses has its outcome at once. */
  private void submit() {
    refusedCount = 0;
    int done = 0;
    while (done < added) {
      long pointers = memory.address() + POINTERS + (long) done * Long.BYTES;
      long count = call(IO_SUBMIT, context(), added - done, pointers, 0);
      if (count <= 0) {
        break;
      }
      done += (int) count;
    }
    underWay += done;
    for (; done < added; done++) {
      long address = memory.get(LONG, POINTERS + (long) done * Long.BYTES);
      refused[refusedCount++] = (int) memory.get(LONG, address - memory.address() + REQUEST_TAG);
      unused[unusedCount++] = address;
    }
    added = 0;
  }

  /** Returns the tag of an outcome. */
  int tag(int index) {
    return taken == 0 ? refused[index] : (int) memory.get(LONG, outcome(index) + OUTCOME_TAG);
  }

  /** Returns the bytes that were read, or a number below 0 for an error. */
  long result(int index) {
    return taken == 0 ? -1 : memory.get(LONG, outcome(index) + OUTCOME_RESULT);
  }

  @Override
  public void close() {
    long _ = call(IO_DESTROY, context(), 0, 0, 0);
    Libc.free(memory);
  }

  private long context() {
    return memory.get(LONG, CONTEXT);
  }

  private static long outcome(int index) {
    return OUTCOMES + index * OUTCOME_BYTES;
  }

  private int errno() {
    return errors.get(INT, ERRNO_OFFSET);
  }

  private long call(long number, long first, long second, long third, long fourth) {
    try {
      return (long) SYSCALL.invokeExact(errors, number, first, second, third, fourth, 0L);
    } catch (Throwable e) {
      throw Libc.unexpected(e);
    }
  }
}
