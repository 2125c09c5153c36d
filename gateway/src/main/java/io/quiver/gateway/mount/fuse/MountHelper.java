package io.quiver.gateway.mount.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs {@code fusermount3}, which may mount for any user. It opens {@code /dev/fuse}, mounts, and
 * sends the descriptor through a socket. While that socket is open it stays; when this process
 * dies, however it dies, the socket closes and the helper unmounts.
 */
final class MountHelper implements AutoCloseable {
  private static final int LOCAL = 1;
  private static final int STREAM = 1;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int SOCKET_LEVEL = 1;
  private static final int RECEIVE_TIMEOUT = 20;
  private static final int DESCRIPTORS = 1;
  private static final int RECEIVE_CLOSE_ON_EXEC = 0x40000000;
  private static final long PATIENCE_SECONDS = 20;

  /** The number the helper knows its socket by, and that of its error output. */
  private static final int SOCKET_IN_HELPER = 3;

  private static final int ERRORS_IN_HELPER = 2;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final long ACTIONS_BYTES = 256;
  private static final int MESSAGE_BYTES = 56;
  private static final int CONTROL_BYTES = 24;
  private static final int ERROR_BYTES = 4096;

  private final int process;
  private final int socket;
  private final int device;

  private MountHelper(int process, int socket, int device) {
    this.process = process;
    this.socket = socket;
    this.device = device;
  }

  /** Mounts at a folder. The error of a failure has the helper's own words. */
  static MountHelper mount(Path program, Path target, String options) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Calls calls = new Calls(arena);
      int[] sockets = calls.pair(false);
      int[] errors = {-1, -1};
      try {
        errors = calls.pair(true);
        int process = calls.start(program, target, options, sockets[1], errors[1]);
        NativeCalls.close(sockets[1]);
        NativeCalls.close(errors[1]);
        sockets[1] = -1;
        errors[1] = -1;
        int device = calls.receiveDescriptor(sockets[0]);
        if (device < 0) {
          String words = calls.readAll(errors[0]);
          calls.await(process);
          throw new IOException(words.isEmpty() ? program + " did not mount" : words);
        }
        MountHelper helper = new MountHelper(process, sockets[0], device);
        sockets[0] = -1;
        return helper;
      } finally {
        closeAll(sockets);
        closeAll(errors);
      }
    }
  }

  private static void closeAll(int[] descriptors) {
    for (int descriptor : descriptors) {
      if (descriptor >= 0) {
        NativeCalls.close(descriptor);
      }
    }
  }

  /** Returns the descriptor of {@code /dev/fuse}. Its owner is who reads from it. */
  int device() {
    return device;
  }

  /** Lets the helper go. It unmounts what is still mounted. */
  @Override
  public void close() {
    NativeCalls.close(socket);
    try (Arena arena = Arena.ofConfined()) {
      new Calls(arena).await(process);
    }
  }

  /** Calls of the C library with their memory. */
  private record Calls(Arena arena, MemorySegment state) {
    private Calls(Arena arena) {
      this(arena, arena.allocate(NativeCalls.stateBytes(), 8));
    }

    private int[] pair(boolean pipe) throws IOException {
      MemorySegment two = arena.allocate(INT, 2);
      int failed;
      try {
        failed =
            pipe
                ? (int) NativeCalls.PIPE.invokeExact(state, two, CLOSE_ON_EXEC)
                : (int)
                    NativeCalls.SOCKETPAIR.invokeExact(
                        state, LOCAL, STREAM | CLOSE_ON_EXEC, 0, two);
      } catch (Throwable thrown) {
        throw NativeCalls.unexpected(thrown);
      }
      if (failed != 0) {
        throw new IOException("no descriptors left: error " + NativeCalls.errno(state));
      }
      return two.toArray(INT);
    }

    /** Starts the helper with its socket and its error output. */
    private int start(Path program, Path target, String options, int socket, int errors)
        throws IOException {
      MemorySegment actions = arena.allocate(ACTIONS_BYTES, 8);
      MemorySegment started = arena.allocate(INT);
      int failed;
      try {
        failed = (int) NativeCalls.ACTIONS_INIT.invokeExact(actions);
        failed |= (int) NativeCalls.ACTIONS_DUP.invokeExact(actions, socket, SOCKET_IN_HELPER);
        failed |= (int) NativeCalls.ACTIONS_DUP.invokeExact(actions, errors, ERRORS_IN_HELPER);
        if (failed == 0) {
          failed =
              (int)
                  NativeCalls.SPAWN.invokeExact(
                      started,
                      arena.allocateFrom(program.toString()),
                      actions,
                      MemorySegment.NULL,
                      strings(program.toString(), "-o", options, "--", target.toString()),
                      strings(
                          "_FUSE_COMMFD=" + SOCKET_IN_HELPER,
                          "PATH=" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin")));
        }
        int _ = (int) NativeCalls.ACTIONS_DESTROY.invokeExact(actions);
      } catch (Throwable thrown) {
        throw NativeCalls.unexpected(thrown);
      }
      if (failed != 0) {
        throw new IOException(program + " cannot be started: error " + failed);
      }
      return started.get(INT, 0);
    }

    private MemorySegment strings(String... all) {
      MemorySegment pointers = arena.allocate(ValueLayout.ADDRESS, all.length + 1L);
      for (int i = 0; i < all.length; i++) {
        pointers.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(all[i]));
      }
      return pointers;
    }

    /** Waits for the descriptor; returns a number below 0 if none comes. */
    private int receiveDescriptor(int socket) {
      MemorySegment time = arena.allocate(LONG, 2);
      time.set(LONG, 0, PATIENCE_SECONDS);
      MemorySegment message = arena.allocate(MESSAGE_BYTES, 8);
      MemorySegment vector = arena.allocate(LONG, 2);
      MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
      vector.set(LONG, 0, arena.allocate(1).address());
      vector.set(LONG, 8, 1);
      message.set(LONG, 16, vector.address());
      message.set(LONG, 24, 1);
      message.set(LONG, 32, control.address());
      message.set(LONG, 40, CONTROL_BYTES);
      long count;
      try {
        int _ =
            (int)
                NativeCalls.SET_OPTION.invokeExact(
                    state, socket, SOCKET_LEVEL, RECEIVE_TIMEOUT, time, 16);
        do {
          count =
              (long) NativeCalls.RECEIVE.invokeExact(state, socket, message, RECEIVE_CLOSE_ON_EXEC);
        } while (count < 0 && NativeCalls.errno(state) == NativeCalls.EINTR);
      } catch (Throwable thrown) {
        throw NativeCalls.unexpected(thrown);
      }
      boolean hasDescriptor =
          count > 0
              && message.get(LONG, 40) >= 20
              && control.get(INT, 8) == SOCKET_LEVEL
              && control.get(INT, 12) == DESCRIPTORS;
      return hasDescriptor ? control.get(INT, 16) : -1;
    }

    /** Reads what the helper says before it ends, up to a bound. */
    private String readAll(int descriptor) {
      MemorySegment buffer = arena.allocate(ERROR_BYTES);
      long length = 0;
      while (length < ERROR_BYTES) {
        long count;
        try {
          count =
              (long)
                  NativeCalls.READ.invokeExact(
                      state, descriptor, buffer.asSlice(length), ERROR_BYTES - length);
        } catch (Throwable thrown) {
          throw NativeCalls.unexpected(thrown);
        }
        if (count <= 0) {
          break;
        }
        length += count;
      }
      byte[] bytes = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      return String.join(
          "; ", List.of(new String(bytes, StandardCharsets.UTF_8).strip().split("\n")));
    }

    /** Waits for the helper's end, so that it does not stay as a zombie. */
    private void await(int process) {
      int result;
      do {
        try {
          result = (int) NativeCalls.WAIT.invokeExact(state, process, MemorySegment.NULL, 0);
        } catch (Throwable thrown) {
          throw NativeCalls.unexpected(thrown);
        }
      } while (result < 0 && NativeCalls.errno(state) == NativeCalls.EINTR);
    }
  }
}
