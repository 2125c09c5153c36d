package io.quiver.store.ssd;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Calls functions of the C library that Java does not offer: page residency, read advice, and a
 * mapping that reaches past the end of a growing file.
 */
@SuppressWarnings("restricted")
final class Libc {
  /** Unit of the kernel's page cache on every machine this runs on. */
  static final int PAGE_BYTES = 4096;

  /** Length of a huge page, the system's or the processor's, on the machines this runs on. */
  static final long HUGE_PAGE_BYTES = 2 << 20;

  private static final int MADV_HUGEPAGE = 14;
  private static final int O_CLOEXEC = 0x80000;
  private static final int O_DIRECT =
      System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final int MADV_RANDOM = 1;
  private static final int POSIX_FADV_RANDOM = 1;
  private static final long MAP_FAILED = -1;

  /** All memory, by its addresses. */
  private static final MemorySegment EVERYWHERE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final Linker LINKER = Linker.nativeLinker();
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static final MethodHandle OPEN =
      find(
          "open",
          FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE = find("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle PREAD =
      find("pread", FunctionDescriptor.of(LONG, INT, LONG, LONG, LONG));
  private static final MethodHandle MMAP =
      find("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
  private static final MethodHandle MUNMAP = find("munmap", FunctionDescriptor.of(INT, LONG, LONG));
  private static final MethodHandle MADVISE =
      find("madvise", FunctionDescriptor.of(INT, LONG, LONG, INT));
  private static final MethodHandle FADVISE =
      find("posix_fadvise", FunctionDescriptor.of(INT, INT, LONG, LONG, INT));
  private static final MethodHandle CALLOC =
      find("calloc", FunctionDescriptor.of(LONG, LONG, LONG));
  private static final MethodHandle ALIGNED_ALLOC =
      find("aligned_alloc", FunctionDescriptor.of(LONG, LONG, LONG));
  private static final MethodHandle FREE = find("free", FunctionDescriptor.ofVoid(LONG));
  // Critical, so that the answer can land in an array on the heap: the call never blocks.
  private static final MethodHandle MINCORE =
      find(
          "mincore",
          FunctionDescriptor.of(INT, LONG, LONG, ValueLayout.ADDRESS),
          Linker.Option.critical(true));

  private Libc() {}

  static MethodHandle find(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    SymbolLookup lookup = LINKER.defaultLookup();
    return LINKER.downcallHandle(lookup.findOrThrow(name), descriptor, options);
  }

  /** Opens a file for positional reads, told that they will be random. */
  static int openForRandomReads(Path path) throws IOException {
    int descriptor;
    try (Arena arena = Arena.ofConfined()) {
      descriptor = (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), O_CLOEXEC);
      if (descriptor >= 0) {
        int _ = (int) FADVISE.invokeExact(descriptor, 0L, 0L, POSIX_FADV_RANDOM);
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (descriptor < 0) {
      throw new IOException(path + ": cannot be opened for reading");
    }
    return descriptor;
  }

  /** Opens a file for reads past the page cache; below 0 where its file system has none. */
  static int openForDirectReads(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), O_CLOEXEC | O_DIRECT);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Allocates memory filled with zeros, until it is {@link #free freed}. It has no arena: closing
   * one that threads share makes each of them stop for a moment. Nor does it count against the
   * bound on direct buffers, which follows the size of the heap. Large memory is laid out in huge
   * pages where the system has them: a random look at it then misses the processor's address cache
   * far less often.
   */
  static MemorySegment zeroed(long bytes) {
    try {
      if (bytes < HUGE_PAGE_BYTES) {
        return allocated((long) CALLOC.invokeExact(bytes, 1L), bytes);
      }
      return pages(bytes).fill((byte) 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Frees memory; nobody may use it any more. */
  static void free(MemorySegment memory) {
    free(memory.address());
  }

  /**
   * Allocates memory filled with zeros that the system provides page by page as it is written to,
   * freed with the arena.
   */
  static MemorySegment untouched(long bytes, Arena arena) {
    try {
      long address =
          (long)
              MMAP.invokeExact(
                  0L, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
      return allocated(address == MAP_FAILED ? 0 : address, bytes)
          .reinterpret(arena, gone -> unmap(address, bytes));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Allocates uninitialized memory at a page boundary, until it is {@link #free freed}; in huge
   * pages where it is as long as one.
   */
  static MemorySegment pages(long bytes) {
    try {
      long boundary = bytes < HUGE_PAGE_BYTES ? PAGE_BYTES : HUGE_PAGE_BYTES;
      long address = (long) ALIGNED_ALLOC.invokeExact(boundary, bytes);
      MemorySegment memory = allocated(address, bytes);
      int _ = (int) MADVISE.invokeExact(address, bytes & -HUGE_PAGE_BYTES, MADV_HUGEPAGE);
      return memory;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static MemorySegment allocated(long address, long bytes) {
    if (address == 0) {
      throw new OutOfMemoryError("no " + bytes + " bytes outside the heap");
    }
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Closes a descriptor. */
  static void close(int descriptor) {
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reads at a position; returns the bytes read, 0 at the end of the file, below 0 on an error. */
  static long read(int descriptor, MemorySegment target, long length, long position) {
    try {
      return (long) PREAD.invokeExact(descriptor, target.address(), length, position);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Maps a file for reading, told that accesses will be random. The length may reach past the end
   * of the file; pages there must not be touched before they are written. Closing the arena unmaps.
   */
  static MemorySegment map(int descriptor, long length, Arena arena) throws IOException {
    long address;
    try {
      address = (long) MMAP.invokeExact(0L, length, PROT_READ, MAP_SHARED, descriptor, 0L);
      if (address != MAP_FAILED) {
        int _ = (int) MADVISE.invokeExact(address, length, MADV_RANDOM);
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (address == MAP_FAILED) {
      throw new IOException(
          "cannot map " + length + " bytes; raise vm.max_map_count or use longer segments");
    }
    return MemorySegment.ofAddress(address)
        .reinterpret(length, arena, gone -> unmap(address, length))
        .asReadOnly();
  }

  private static void unmap(long address, long length) {
    try {
      int _ = (int) MUNMAP.invokeExact(address, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Fills in which pages of a mapping are in memory: the lowest bit of one byte for each page.
   *
   * @param address a page boundary
   * @return false if the kernel refused
   */
  static boolean inMemory(long address, long length, byte[] answer) {
    try {
      return (int) MINCORE.invokeExact(address, length, MemorySegment.ofArray(answer)) == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Reads a byte at each of these addresses, which the caller keeps valid, so that they are in the
   * processor's caches afterwards. The loop does nothing else: the fewer instructions lie between
   * two reads, the more of them wait for memory at the same time.
   *
   * @return something that depends on every read, so that none is optimised away
   */
  static long touch(long[] addresses, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += EVERYWHERE.get(ValueLayout.JAVA_BYTE, addresses[i]);
    }
    return sum;
  }

  static RuntimeException unexpected(Throwable e) {
    if (e instanceof OutOfMemoryError error) {
      throw error;
    }
    return new IllegalStateException("a call of the C library could not be made", e);
  }
}
