package io.quiver.gateway.door.block;

import io.quiver.remote.ChangedObjectException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one block, which arrive from the front. Readers may have every byte as soon as it is
 * here. One thread fills a block; its memory goes back when nobody has it pinned any more.
 */
final class Block {
  private final BlockKey key;
  private final int length;
  private volatile int filled;
  private volatile boolean taken;
  private volatile boolean fromStore;
  // Guarded by this.
  private @Nullable IOException failure;
  private @Nullable ByteBuffer bytes;
  private @Nullable Runnable release;
  private int waiting;

  // The lock of the memory guards all fields below.
  private long charge;
  private int readers;
  private int holders;
  private boolean mapped = true;
  private boolean ahead;

  Block(BlockKey key, int length, long charge) {
    this.key = key;
    this.length = length;
    this.charge = charge;
  }

  BlockKey key() {
    return key;
  }

  int length() {
    return length;
  }

  /** Returns the number of bytes that are here. */
  int filled() {
    return filled;
  }

  boolean complete() {
    return filled == length;
  }

  /** Notes that its bytes come from the store. */
  void comesFromStore() {
    fromStore = true;
  }

  /** Returns true if its bytes come, or came, from the store. */
  boolean isFromStore() {
    return fromStore;
  }

  /** Returns true if somebody is filling this block or has filled it. */
  boolean isTaken() {
    return taken;
  }

  /** Returns true to one caller only, who then fills this block or fails it. */
  boolean take() {
    if (taken) {
      return false;
    }
    synchronized (this) {
      boolean first = !taken;
      taken = true;
      return first;
    }
  }

  /**
   * Provides the memory of the bytes.
   *
   * @param memory has the block's length; nothing of it counts as filled yet
   * @param whenFreed runs when nobody needs the memory any more
   */
  synchronized void provide(ByteBuffer memory, Runnable whenFreed) {
    bytes = memory;
    release = whenFreed;
  }

  /** Tells readers that all bytes up to this one are here. */
  void filledTo(int end) {
    synchronized (this) {
      filled = end;
      if (waiting > 0) {
        notifyAll();
      }
    }
  }

  /** Ends the waits of all readers with a failure; bytes that are here stay readable. */
  synchronized void fail(IOException reason) {
    failure = reason;
    notifyAll();
  }

  /** Returns the number of bytes that are here, once there are at least so many. */
  int await(int least) throws IOException {
    int now = filled;
    return now >= least ? now : awaitMore(least);
  }

  private synchronized int awaitMore(int least) throws IOException {
    waiting++;
    try {
      while (filled < least) {
        if (failure != null) {
          throw told(failure);
        }
        wait();
      }
      return filled;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while waiting for bytes of " + key.object());
      stopped.initCause(e);
      throw stopped;
    } finally {
      waiting--;
    }
  }

  /** Returns a failure for one more reader; what callers tell apart keeps its type. */
  private IOException told(IOException reason) {
    if (reason instanceof FileSystemException || reason instanceof ChangedObjectException) {
      return reason;
    }
    return new IOException(
        "reading '" + key.object() + "' from the store failed: " + reason.getMessage(), reason);
  }

  /** Returns a view of bytes that are here. */
  ByteBuffer view(int from, int to) {
    ByteBuffer whole;
    synchronized (this) {
      whole = bytes;
    }
    if (whole == null || to > filled) {
      throw new IllegalStateException("bytes " + from + " to " + to + " are not here yet");
    }
    return whole.slice(from, to - from).asReadOnlyBuffer();
  }

  /** Frees the memory; nobody has the block any more. */
  void free() {
    Runnable freeing;
    synchronized (this) {
      freeing = release;
      release = null;
      bytes = null;
    }
    if (freeing != null) {
      freeing.run();
    }
  }

  // For the memory, with its lock held.

  long charge() {
    return charge;
  }

  void charge(long bytes) {
    charge = bytes;
  }

  boolean mapped() {
    return mapped;
  }

  void unmap() {
    mapped = false;
  }

  boolean ahead() {
    return ahead;
  }

  void ahead(boolean value) {
    ahead = value;
  }

  boolean unread() {
    return readers == 0;
  }

  boolean unused() {
    return readers == 0 && holders == 0;
  }

  void addReader() {
    readers++;
  }

  void removeReader() {
    readers--;
  }

  void addHolder() {
    holders++;
  }

  void removeHolder() {
    holders--;
  }
}
