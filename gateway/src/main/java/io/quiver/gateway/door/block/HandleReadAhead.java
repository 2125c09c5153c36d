package io.quiver.gateway.door.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Watches the reads of one handle and reads ahead of those that go forward. Several threads may
 * read forward through one handle, each in its own part of it; each has a cursor here. The window
 * doubles with every block that a cursor has passed.
 */
public final class HandleReadAhead {
  private static final int CURSORS = 8;

  /** A read that begins so near to the end of the last one continues it: kernels reorder reads. */
  private static final long MOST_SLACK_BYTES = 1 << 20;

  /** … and never so far off as this part of a block. */
  private static final int SLACK_OF_BLOCK = 4;

  /** A cursor that so many reads of others have passed by is given up. */
  private static final long LONELY_AFTER = 16;

  private final ObjectBlocks file;
  private final BlockMemory memory;
  private final BlockLoader loader;
  private final long mostBytes;
  private volatile long reader;
  private final AtomicLong opening = new AtomicLong();
  // All guarded by this.
  private final List<Cursor> cursors = new ArrayList<>();
  private int lastBlock = -1;
  private long reads;
  private boolean closed;

  /**
   * A read in relation to those before it.
   *
   * @param scattered true if it continues none before it: nothing tells that its neighbours are
   *     wanted
   * @param enters true if it comes to a block, false if it goes on in one that was counted
   */
  record Step(boolean scattered, boolean enters) {}

  private static final class Cursor {
    private long end;
    private long run;
    private int reads;
    private long lastRead;
    private int askedTo;
    private int entered = -1;
    private final List<Block> pending = new ArrayList<>();
  }

  HandleReadAhead(ObjectBlocks file, BlockMemory memory, BlockLoader loader, long mostBytes) {
    this.file = file;
    this.memory = memory;
    this.loader = loader;
    this.mostBytes = mostBytes;
  }

  /** Notes who reads through the handle, as far as that can be told. */
  public void readBy(long who) {
    reader = who;
  }

  /** Notes how long the store took to open the object, if it was asked. */
  public void openedIn(long nanos) {
    opening.set(nanos);
  }

  /** Returns how long the store took to open the object, to the first who asks; then 0. */
  long takeOpening() {
    return opening.getAndSet(0);
  }

  /** Returns who reads through the handle. */
  long reader() {
    return reader;
  }

  /**
   * Notes a read, and begins to read what will be wanted next.
   *
   * @param end the end of the read
   * @param rangeEnd the end of what the reader is known to want
   */
  synchronized Step note(long offset, long end, long rangeEnd) {
    if (closed || end - offset == file.object().size()) {
      return new Step(false, true);
    }
    reads++;
    giveUpLonely();
    Cursor known = continued(offset);
    Cursor cursor = known == null ? begin(offset) : known;
    cursor.run += Math.max(0, end - cursor.end);
    cursor.end = Math.max(cursor.end, end);
    cursor.reads++;
    cursor.lastRead = reads;
    if (mostBytes > 0) {
      ask(cursor, rangeEnd);
    }
    return new Step(known == null && offset > 0, enters(cursor, file.index(offset)));
  }

  /** Counts the parts of a block as one read, in whichever order kernels ask for them. */
  private boolean enters(Cursor cursor, int block) {
    boolean enters = block > cursor.entered && block != lastBlock;
    cursor.entered = Math.max(cursor.entered, block);
    lastBlock = block;
    return enters;
  }

  private @Nullable Cursor continued(long offset) {
    long slack = Math.min(MOST_SLACK_BYTES, file.blockBytes() / SLACK_OF_BLOCK);
    Cursor nearest = null;
    for (Cursor cursor : cursors) {
      long distance = Math.abs(cursor.end - offset);
      if (distance <= slack && (nearest == null || distance < Math.abs(nearest.end - offset))) {
        nearest = cursor;
      }
    }
    return nearest;
  }

  private Cursor begin(long offset) {
    if (cursors.size() >= CURSORS) {
      Cursor oldest = cursors.getFirst();
      for (Cursor cursor : cursors) {
        oldest = cursor.lastRead < oldest.lastRead ? cursor : oldest;
      }
      giveUp(oldest);
    }
    Cursor cursor = new Cursor();
    cursor.end = offset;
    cursors.add(cursor);
    return cursor;
  }

  private void ask(Cursor cursor, long rangeEnd) {
    int last = file.index(Math.max(0, cursor.end - 1));
    long wanted = Math.max(cursor.end + window(cursor), Math.min(rangeEnd, cursor.end + mostBytes));
    int to = file.index(Math.min(wanted, file.object().size()) - 1);
    cursor.pending.removeIf(Block::isTaken);
    for (int index = Math.max(last + 1, cursor.askedTo + 1); index <= to; index++) {
      BlockKey key = file.key(index);
      Block block = memory.addAhead(key, file.length(index));
      if (block != null) {
        cursor.pending.add(block);
        loader.ahead(block, file, index, () -> {});
      } else if (!memory.contains(key)) {
        break;
      }
      cursor.askedTo = index;
    }
  }

  /** Returns the bytes to have ahead: none after one read, then 1, 2, 4 … blocks. */
  private long window(Cursor cursor) {
    if (cursor.reads < 2) {
      return 0;
    }
    long passed = Math.min(30, cursor.run / file.blockBytes());
    return Math.min(mostBytes, (long) file.blockBytes() << passed);
  }

  private void giveUpLonely() {
    for (int i = cursors.size() - 1; i >= 0; i--) {
      if (reads - cursors.get(i).lastRead > LONELY_AFTER) {
        giveUp(cursors.get(i));
      }
    }
  }

  /** Gives up what has not begun to be read; what has is claimed, and others may wait for it. */
  private void giveUp(Cursor cursor) {
    cursors.remove(cursor);
    cursor.pending.forEach(memory::giveUp);
  }

  /** Ends reading ahead. */
  public synchronized void close() {
    closed = true;
    while (!cursors.isEmpty()) {
      giveUp(cursors.getLast());
    }
  }
}
