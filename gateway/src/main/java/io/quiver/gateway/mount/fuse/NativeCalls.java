package io.quiver.gateway.mount.fuse;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The calls of the C library that Java has no words for: reads and writes of a descriptor that came
 * through a socket, and the start of a program that inherits one.
 */
final class NativeCalls {
  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final int ENODEV = 19;
  static final int ENOENT = 2;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout POINTER = ValueLayout.ADDRESS;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO_OFFSET =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  static final MethodHandle READ = failing("read", LONG, INT, POINTER, LONG);
  static final MethodHandle WRITE = failing("write", LONG, INT, POINTER, LONG);
  static final MethodHandle WRITEV = failing("writev", LONG, INT, POINTER, INT);
  static final MethodHandle SOCKETPAIR = failing("socketpair", INT, INT, INT, INT, POINTER);
  static final MethodHandle PIPE = failing("pipe2", INT, POINTER, INT);
  static final MethodHandle SET_OPTION = failing("setsockopt", INT, INT, INT, INT, POINTER, INT);
  static final MethodHandle RECEIVE = failing("recvmsg", LONG, INT, POINTER, INT);
  static final MethodHandle WAIT = failing("waitpid", INT, INT, POINTER, INT);
  static final MethodHandle CLOSE = plain("close", INT, INT);
  static final MethodHandle USER = plain("geteuid", INT);
  static final MethodHandle GROUP = plain("getegid", INT);
  static final MethodHandle SPAWN =
      plain("posix_spawn", INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER);
  static final MethodHandle ACTIONS_INIT = plain("posix_spawn_file_actions_init", INT, POINTER);
  static final MethodHandle ACTIONS_DUP =
      plain("posix_spawn_file_actions_adddup2", INT, POINTER, INT, INT);
  static final MethodHandle ACTIONS_DESTROY =
      plain("posix_spawn_file_actions_destroy", INT, POINTER);

  private NativeCalls() {}

  /** Returns the bytes a call needs to keep its error number in. */
  static long stateBytes() {
    return STATE.byteSize();
  }

  /** Returns the error number that a call left behind. */
  static int errno(MemorySegment state) {
    return state.get(INT, ERRNO_OFFSET);
  }

  /** Makes an error of what a call throws that cannot throw. */
  static AssertionError unexpected(Throwable thrown) {
    return new AssertionError("a call of the C library failed in Java", thrown);
  }

  /** Returns the user this process acts as. */
  static int user() {
    return number(USER);
  }

  /** Returns the group this process acts as. */
  static int group() {
    return number(GROUP);
  }

  /** Closes a descriptor. */
  static void close(int descriptor) {
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  private static int number(MethodHandle call) {
    try {
      return (int) call.invokeExact();
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  private static MethodHandle failing(String name, MemoryLayout result, MemoryLayout... arguments) {
    return find(
        name, FunctionDescriptor.of(result, arguments), Linker.Option.captureCallState("errno"));
  }

  private static MethodHandle plain(String name, MemoryLayout result, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.of(result, arguments));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle find(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }
}
