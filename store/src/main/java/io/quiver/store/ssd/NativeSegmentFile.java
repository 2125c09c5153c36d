package io.quiver.store.ssd;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Accesses a segment file of the operating system: writes go through a channel into the page cache,
 * reads through a descriptor advised for random access or through the mapping.
 */
final class NativeSegmentFile implements SegmentFile {
  // Java copies heap buffers to native memory it keeps for the thread; bounds that memory.
  private static final int PIECE_BYTES = 1 << 20;

  private static final int REOPEN_ATTEMPTS = 8;

  private final Path path;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment mapping;
  private final int descriptor;
  private final int directDescriptor;
  private FileChannel channel;
  private boolean closed;

  NativeSegmentFile(Path path, long mappedBytes) throws IOException {
    this.path = path;
    channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    int opened = -1;
    directDescriptor = Libc.openForDirectReads(path);
    try {
      opened = Libc.openForRandomReads(path);
      mapping = Libc.map(opened, mappedBytes, arena);
      descriptor = opened;
    } catch (IOException e) {
      channel.close();
      closeIfOpen(opened);
      closeIfOpen(directDescriptor);
      throw e;
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long length() throws IOException {
    return uninterrupted(FileChannel::size);
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    int begin = source.position();
    int end = source.limit();
    for (int at = begin; at < end; at += PIECE_BYTES) {
      ByteBuffer piece = source.slice(at, Math.min(PIECE_BYTES, end - at));
      long target = position + (at - begin);
      uninterrupted(open -> {
        piece.rewind();
        while (piece.hasRemaining()) {
          open.write(piece, target + piece.position());
        }
        return 0L;
      });
    }
  }

  @Override
  public long read(MemorySegment target, long length, long position) throws IOException {
    return read(descriptor, target, length, position);
  }

  @Override
  public long readDirect(MemorySegment target, long length, long position) throws IOException {
    if (directDescriptor < 0) {
      return read(target, length, position);
    }
    // Whatever a direct read leaves undone at the end of the file is not there.
    long read = Libc.read(directDescriptor, target, length, position);
    return read >= 0 ? read : read(target, length, position);
  }

  @Override
  public int directDescriptor() {
    return directDescriptor;
  }

  private long read(int from, MemorySegment target, long length, long position) throws IOException {
    long done = 0;
    while (done < length) {
      long read = Libc.read(from, target.asSlice(done), length - done, position + done);
      if (read < 0) {
        throw new IOException(path + ": cannot be read at " + (position + done));
      }
      if (read == 0) {
        break;
      }
      done += read;
    }
    return done;
  }

  @Override
  public void truncate(long length) throws IOException {
    uninterrupted(open -> open.truncate(length).size());
  }

  @Override
  public MemorySegment mapping() {
    return mapping;
  }

  @Override
  public void unlink() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    arena.close();
    Libc.close(descriptor);
    closeIfOpen(directDescriptor);
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException(path + ": could not be closed", e);
    }
  }

  private static void closeIfOpen(int opened) {
    if (opened >= 0) {
      Libc.close(opened);
    }
  }

  /**
   * Writes with the interrupt put aside, and reopens a channel that was closed nevertheless,
   * because interrupting a thread that writes closes its channel for everybody.
   */
  private long uninterrupted(ChannelCall call) throws IOException {
    boolean interrupted = false;
    try {
      for (int attempt = 1; ; attempt++) {
        interrupted |= Thread.interrupted();
        FileChannel open = open();
        try {
          return call.on(open);
        } catch (ClosedChannelException e) {
          if (attempt == REOPEN_ATTEMPTS) {
            throw e;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized FileChannel open() throws IOException {
    if (!closed && !channel.isOpen()) {
      channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    return channel;
  }

  private interface ChannelCall {
    long on(FileChannel channel) throws IOException;
  }
}
