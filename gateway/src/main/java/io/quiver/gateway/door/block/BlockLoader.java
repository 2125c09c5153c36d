package io.quiver.gateway.door.block;

import io.quiver.client.BlobAnswer;
import io.quiver.client.buffer.BufferPool;
import io.quiver.core.engine.FetchLanes.Lane;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.block.BlockFinder.Finding;
import io.quiver.remote.FirstBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings blocks into memory: from the cache if it has them, else from the store, from where they go
 * on into the cache. Each block is brought by one thread, which took it.
 */
final class BlockLoader {
  private static final Logger LOG = LoggerFactory.getLogger(BlockLoader.class);

  // The bytes of an answer that come before those of the blob.
  private static final int ANSWER_HEAD_BYTES = 64;

  private final BlockMemory memory;
  private final BlockFinder finder;
  private final StoreFill fill;
  private final BlockInserter inserter;
  private final BlockPlacing placing;
  private final FirstBlocks firstBlocks;
  private final BlockCounters counters;
  private final LongSupplier nanoTime;
  private final long mostAnswerBytes;
  private final AtomicLong answerBytes = new AtomicLong();

  /**
   * Makes a loader.
   *
   * @param placing says which blocks are to be inserted
   * @param mostAnswerBytes most bytes of the client's answers that stay as blocks
   */
  BlockLoader(
      BlockMemory memory,
      BlockFinder finder,
      StoreFill fill,
      BlockInserter inserter,
      BlockPlacing placing,
      FirstBlocks firstBlocks,
      BlockCounters counters,
      LongSupplier nanoTime,
      long mostAnswerBytes) {
    this.memory = memory;
    this.finder = finder;
    this.fill = fill;
    this.inserter = inserter;
    this.placing = placing;
    this.firstBlocks = firstBlocks;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.mostAnswerBytes = mostAnswerBytes;
  }

  /**
   * Brings a block that the calling reader waits for. Returns when it is complete or on its way, so
   * that the reader can have its first bytes.
   */
  void demand(Block block, ObjectBlocks file, int index) {
    long wantedAt = nanoTime.getAsLong();
    if (!block.take()) {
      return;
    }
    memory.hold(block);
    boolean handedOn = false;
    try {
      switch (finder.await(file, index)) {
        case Finding.Held(BlobAnswer answer) -> adopt(block, answer, file, index, wantedAt);
        case Finding.Yours(boolean insert) -> {
          handedOn = true;
          start("quiver-door-read", block, () -> read(block, file, index, insert, wantedAt));
        }
        case Finding.Pending _ -> throw new IllegalStateException("a wait ended too early");
      }
    } catch (RuntimeException e) {
      memory.fail(block, new IOException("the block could not be read: " + e, e));
    } finally {
      if (!handedOn) {
        memory.letGo(block);
      }
    }
  }

  /** Runs a task that ends with the hold on a block given back, whatever happens. */
  private void start(String name, Block block, Runnable task) {
    Thread.ofVirtual()
        .name(name)
        .start(() -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            memory.fail(block, new IOException("the block could not be read: " + e, e));
            throw e;
          } finally {
            memory.letGo(block);
          }
        });
  }

  private void read(Block block, ObjectBlocks file, int index, boolean insert, long wantedAt) {
    if (fill.read(block, file, index, wantedAt)) {
      stored(block, file, index, insert, wantedAt);
    }
  }

  /** Passes a block from the store on to the cache. */
  private void stored(Block block, ObjectBlocks file, int index, boolean insert, long wantedAt) {
    finder.noteRead(file, index, true, nanoTime.getAsLong() - wantedAt);
    if (insert && placing.inserts(file)) {
      inserter.offer(block, file, index);
    }
  }

  /** Makes the bytes of an answer those of a block; copies them if too many answers stay. */
  private void adopt(Block block, BlobAnswer answer, ObjectBlocks file, int index, long wantedAt) {
    finder.noteRead(file, index, false, nanoTime.getAsLong() - wantedAt);
    int charge = BufferPool.capacity(block.length() + ANSWER_HEAD_BYTES);
    long answers = answerBytes.addAndGet(charge);
    if (answers <= mostAnswerBytes && memory.recharge(block, charge)) {
      block.provide(
          answer.bytes(0),
          () -> {
            answer.close();
            answerBytes.addAndGet(-charge);
          });
    } else {
      answerBytes.addAndGet(-charge);
      try (answer) {
        ByteBuffer source = answer.bytes(0);
        memory.allocate(block).put(0, source, source.position(), source.remaining());
      }
    }
    block.filledTo(block.length());
  }

  /**
   * Brings a block that nobody waits for yet, if that needs no waiting for another door.
   *
   * @param block held by the caller, who hands the hold on
   * @param whenFailed runs if the store fails
   */
  void ahead(Block block, ObjectBlocks file, int index, Runnable whenFailed) {
    counters.count(Of.AHEAD_BLOCKS);
    long wantedAt = nanoTime.getAsLong();
    start(
        "quiver-door-ahead",
        block,
        () -> {
          if (!aheadInBackground(block, file, index, wantedAt)) {
            whenFailed.run();
          }
        });
  }

  /**
   * Brings a block into the cache that nobody waits for, when the store is idle. It does not stay
   * in memory.
   *
   * @param block held by the caller, who hands the hold on
   * @param whenDone hears in the end if the store was to be asked
   */
  void fill(Block block, ObjectBlocks file, int index, BlockReader.FillEnd whenDone) {
    start(
        "quiver-door-fill",
        block,
        () -> {
          boolean missing = false;
          try {
            missing = !finder.knows(file, index);
            if (missing) {
              readAhead(block, file, index, nanoTime.getAsLong(), Lane.PRELOAD);
            }
          } finally {
            memory.dropFilled(block);
            whenDone.ended(missing);
          }
        });
  }

  /** Returns false if the store failed. */
  private boolean aheadInBackground(Block block, ObjectBlocks file, int index, long wantedAt) {
    if (!finder.knows(file, index)) {
      return readAhead(block, file, index, wantedAt, Lane.AHEAD);
    }
    if (memory.takeWanted(block)) {
      switch (finder.look(file, index, false)) {
        case Finding.Held(BlobAnswer answer) -> {
          adopt(block, answer, file, index, wantedAt);
          if (index == 0) {
            firstBlocks.found(file.object());
          }
        }
        case Finding.Pending _ -> giveUpOrFinish(block, file, index, wantedAt);
        case Finding.Yours _ -> giveUpOrFinish(block, file, index, wantedAt);
      }
    }
    return true;
  }

  /** Leaves a block that this thread has taken to whoever wants it; somebody may want it now. */
  private void giveUpOrFinish(Block block, ObjectBlocks file, int index, long wantedAt) {
    if (!memory.dropUnread(block)) {
      finish(block, file, index, wantedAt);
    }
  }

  /**
   * Claims a block only when its turn at the store has come: a claim makes others wait.
   *
   * @return false if the store failed
   */
  private boolean readAhead(Block block, ObjectBlocks file, int index, long wantedAt, Lane lane) {
    try {
      fill.turns().enter(lane);
    } catch (IOException e) {
      memory.fail(block, e);
      return false;
    }
    boolean complete = false;
    Finding finding;
    try {
      if (!memory.takeWanted(block)) {
        return true;
      }
      finding = finder.look(file, index, true);
      if (finding instanceof Finding.Yours) {
        complete = fill.readAheadInTurn(block, file, index, wantedAt);
      }
    } finally {
      fill.turns().leave(lane);
    }
    switch (finding) {
      case Finding.Held(BlobAnswer answer) -> adopt(block, answer, file, index, wantedAt);
      case Finding.Yours(boolean insert) -> {
        if (complete) {
          stored(block, file, index, insert, wantedAt);
        }
        return complete;
      }
      case Finding.Pending _ -> giveUpOrFinish(block, file, index, wantedAt);
    }
    return true;
  }

  /** Brings a block that this thread has taken, waiting for another door if need be. */
  private void finish(Block block, ObjectBlocks file, int index, long wantedAt) {
    switch (finder.await(file, index)) {
      case Finding.Held(BlobAnswer answer) -> adopt(block, answer, file, index, wantedAt);
      case Finding.Yours(boolean insert) -> read(block, file, index, insert, wantedAt);
      case Finding.Pending _ -> throw new IllegalStateException("a wait ended too early");
    }
  }

  /**
   * Takes the first block of an object whose bytes came with its details. They are used unless the
   * cache has the block or another door is reading it.
   *
   * @param first is closed in the end
   * @param whenDone runs when the stream is not needed any more
   */
  void first(Block block, ObjectBlocks file, FirstBytes first, long wantedAt, Runnable whenDone) {
    start(
        "quiver-door-first",
        block,
        () -> firstInBackground(block, file, first, wantedAt, whenDone));
  }

  private void firstInBackground(
      Block block, ObjectBlocks file, FirstBytes first, long wantedAt, Runnable whenDone) {
    Finding finding;
    boolean complete = false;
    try {
      finding = finder.look(file, 0, true);
      if (finding instanceof Finding.Yours) {
        counters.count(Of.STORE_READS);
        complete = fill.fillFrom(block, first.bytes(), wantedAt);
      }
    } finally {
      drop(first);
      whenDone.run();
    }
    switch (finding) {
      case Finding.Held(BlobAnswer answer) -> adopt(block, answer, file, 0, wantedAt);
      case Finding.Pending _ -> finish(block, file, 0, wantedAt);
      case Finding.Yours(boolean insert) -> {
        if (complete) {
          stored(block, file, 0, insert, wantedAt);
        }
      }
    }
  }

  /** Closes a stream whose bytes are here or not needed; trouble in closing it concerns nobody. */
  void drop(FirstBytes first) {
    try {
      first.close();
    } catch (IOException e) {
      LOG.debug("a stream of '{}' was not closed", first.details().object().name(), e);
    }
  }
}
