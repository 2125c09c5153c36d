package io.quiver.gateway.door.block;

import io.quiver.client.BlobAnswer;
import io.quiver.core.engine.FetchLanes.Lane;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockNames;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.cache.GuardedCache;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of objects block by block: from memory, from the cache, from the store. A reader has
 * at most one block pinned, and none while it waits for memory. Where there is no memory it reads
 * around it, piece by piece.
 */
public final class BlockReader implements AutoCloseable {
  /** Longest wait for memory; after that a read goes around it. */
  private static final long MEMORY_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);
  private static final int DIRECT_BYTES = 256 * 1024;

  /** A part is read instead of its block if it is at most one of so many parts of it. */
  private static final int PART_OF_BLOCK = 8;

  /** Blocks that are not longer are always read whole. */
  private static final int WHOLE_BYTES = 256 * 1024;

  private final RemoteStore store;
  private final StoreTurns turns;
  private final BlockMemory memory;
  private final BlockFinder finder;
  private final StoreFill fill;
  private final BlockInserter inserter;
  private final BlockLoader loader;
  private final BlockCounters counters = new BlockCounters();
  private final LongSupplier nanoTime;
  private final BlockBounds bounds;
  private final ReadWatcher watcher;

  /** Takes the pieces of a range, in order. */
  @FunctionalInterface
  public interface PieceConsumer {
    /** Takes one piece. The buffer is valid until this call returns. */
    void accept(ByteBuffer piece) throws IOException;
  }

  /**
   * The names under which a store's blocks are known to other doors.
   *
   * @param names makes them
   * @param storeId the store, spelled alike by all doors
   */
  public record Naming(BlockNames names, String storeId) {}

  /**
   * The hashes that a digest tells.
   *
   * @param find returns the hash of a whole object as believed at the moment
   * @param distrust hears of versions that have another one
   */
  public record Items(
      Function<RemoteObject, Optional<ContentHash>> find, Consumer<RemoteObject> distrust) {}

  /**
   * The recognition of streams, as blocks need it.
   *
   * @param placing says where blocks go
   * @param watcher hears what is read
   */
  public record Streams(BlockPlacing placing, ReadWatcher watcher) {
    /** Nothing is recognised. */
    public static final Streams NONE = new Streams(BlockPlacing.SHARED, ReadWatcher.NONE);
  }

  /** Makes a reader of one store through one cache. */
  public BlockReader(
      RemoteStore store,
      GuardedCache cache,
      Naming naming,
      Items items,
      Streams streams,
      FirstBlocks firstBlocks,
      BlockBounds bounds,
      LongSupplier nanoTime) {
    this.store = store;
    this.bounds = bounds;
    this.watcher = streams.watcher();
    this.nanoTime = nanoTime;
    this.turns = new StoreTurns(bounds.storeReads());
    this.memory = new BlockMemory(bounds.memoryBytes(), nanoTime);
    InsertBacklog backlog =
        new InsertBacklog(Math.min(ReadRules.INSERT_QUEUE_BYTES, bounds.memoryBytes() / 4));
    this.finder =
        new BlockFinder(
            cache,
            naming.names(),
            naming.storeId(),
            nanoTime,
            counters,
            items.find(),
            streams.placing(),
            backlog);
    this.inserter =
        new BlockInserter(
            cache, finder, memory, counters, streams.placing(), backlog, items.distrust());
    this.fill = new StoreFill(store, turns, memory, counters, nanoTime, firstBlocks);
    this.loader =
        new BlockLoader(
            memory,
            finder,
            fill,
            inserter,
            streams.placing(),
            firstBlocks,
            counters,
            nanoTime,
            cache.cache().retainableBytes());
  }

  /** Returns the counters of this reader. */
  public BlockCounters counters() {
    return counters;
  }

  /** Returns the memory that blocks take. */
  public long memoryBytes() {
    return memory.usedBytes();
  }

  /** Returns the number of blocks that were read ahead in vain. */
  public long wastedAhead() {
    return memory.wastedAhead();
  }

  /** Returns the bytes that were read ahead in vain. */
  public long wastedAheadBytes() {
    return memory.wastedAheadBytes();
  }

  /** Returns a watch over the reads of one handle. */
  public HandleReadAhead watch(ObjectBlocks file) {
    return new HandleReadAhead(file, memory, loader, bounds.aheadBytes());
  }

  /** The answer to a wish that a block be read before a program asks for it. */
  public enum Ahead {
    /** It is being read. */
    BEGUN,
    /** It is in memory or on its way there. */
    HELD,
    /** There is no memory for it. */
    NO_ROOM
  }

  /**
   * Begins to read a block into memory, from the cache or the store.
   *
   * @param comesAnyway returns true if a program has it read already; asked once others can see
   *     that the block is on its way
   * @param whenFailed runs if it was begun and the store then failed
   */
  public Ahead ahead(
      ObjectBlocks file, int index, BooleanSupplier comesAnyway, Runnable whenFailed) {
    Block block = memory.addAhead(file.key(index), file.length(index));
    if (block == null) {
      return memory.contains(file.key(index)) ? Ahead.HELD : Ahead.NO_ROOM;
    }
    if (comesAnyway.getAsBoolean()) {
      memory.dropFilled(block);
      memory.letGo(block);
      return Ahead.HELD;
    }
    loader.ahead(block, file, index, whenFailed);
    return Ahead.BEGUN;
  }

  /** Hears of the end of a block that was brought into the cache for no reader. */
  @FunctionalInterface
  public interface FillEnd {
    /** Hears that it has ended; the store was not asked for a block that was there already. */
    void ended(boolean storeAsked);
  }

  /**
   * Begins to bring a block into the cache for no reader, after what programs read.
   *
   * @param whenDone hears of the end if it was begun
   */
  public Ahead fill(ObjectBlocks file, int index, FillEnd whenDone) {
    if (!finder.keeps(file)) {
      return Ahead.NO_ROOM;
    }
    Block block = memory.addAhead(file.key(index), file.length(index));
    if (block == null) {
      return memory.contains(file.key(index)) ? Ahead.HELD : Ahead.NO_ROOM;
    }
    loader.fill(block, file, index, whenDone);
    return Ahead.BEGUN;
  }

  /** Fills the target, which ends inside the object. */
  public void read(ObjectBlocks file, HandleReadAhead ahead, long offset, ByteBuffer target)
      throws IOException {
    transfer(file, ahead, offset, target.remaining(), target::put);
  }

  /** Passes a range inside the object to a consumer, as its bytes arrive. */
  public void transfer(
      ObjectBlocks file, HandleReadAhead ahead, long offset, long length, PieceConsumer consumer)
      throws IOException {
    long end = offset + length;
    for (long at = offset; at < end; ) {
      int index = file.index(at);
      int from = (int) (at - file.start(index));
      int to = (int) Math.min(file.length(index), end - file.start(index));
      HandleReadAhead.Step step = ahead.note(at, file.start(index) + to, end);
      readBlock(file, index, from, to, step, ahead, consumer);
      at += to - from;
    }
  }

  private void readBlock(
      ObjectBlocks file,
      int index,
      int from,
      int to,
      HandleReadAhead.Step step,
      HandleReadAhead handle,
      PieceConsumer consumer)
      throws IOException {
    long began = nanoTime.getAsLong();
    long waitedToOpen = index == 0 && step.enters() ? handle.takeOpening() : 0;
    BlockKey key = file.key(index);
    Block present = memory.pinPresent(key);
    if (present != null) {
      counters.count(Of.MEMORY_HITS);
      counters.add(Of.MEMORY_BYTES, to - from);
    } else if (step.scattered()
        && isClearlyLess(file, index, to - from)
        && readPart(file, index, from, to, consumer)) {
      if (step.enters()) {
        watcher.read(file, index, handle.reader(), false, nanoTime.getAsLong() - began);
      }
      return;
    }
    Block block = present == null ? pin(key, file.length(index)) : present;
    if (block == null) {
      counters.count(Of.UNBUFFERED_READS);
      boolean stored = readAround(file, index, from, to, consumer);
      if (step.enters()) {
        watcher.read(file, index, handle.reader(), stored, nanoTime.getAsLong() - began);
      }
      return;
    }
    try {
      boolean complete = block.complete();
      loader.demand(block, file, index);
      block.await(from + 1);
      if (step.enters()) {
        boolean waited = (!complete || waitedToOpen > 0) && block.isFromStore();
        long took = nanoTime.getAsLong() - began + (waited ? waitedToOpen : 0);
        watcher.read(file, index, handle.reader(), waited, took);
      }
      pass(block, from, to, consumer);
    } finally {
      memory.unpin(block);
    }
  }

  private @Nullable Block pin(BlockKey key, int length) throws InterruptedIOException {
    try {
      return memory.pin(key, length, MEMORY_WAIT_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while waiting for memory of the door");
      stopped.initCause(e);
      throw stopped;
    }
  }

  /** Passes bytes on as they arrive. */
  private static void pass(Block block, int from, int to, PieceConsumer consumer)
      throws IOException {
    for (int at = from; at < to; ) {
      int end = Math.min(to, block.await(at + 1));
      consumer.accept(block.view(at, end));
      at = end;
    }
  }

  private boolean isClearlyLess(ObjectBlocks file, int index, int length) {
    int whole = file.length(index);
    return whole > WHOLE_BYTES
        && (long) length * PART_OF_BLOCK <= whole
        && finder.bindings().partBytes(file.key(index)) <= whole / 2;
  }

  private boolean readPart(ObjectBlocks file, int index, int from, int to, PieceConsumer consumer)
      throws IOException {
    try (BlobAnswer part = finder.part(file, index, from, to - from)) {
      if (part == null) {
        return false;
      }
      consumer.accept(part.bytes(0));
      return true;
    }
  }

  /**
   * Reads without the door's memory, in pieces short enough for any number of readers.
   *
   * @return true if the store was asked
   */
  private boolean readAround(ObjectBlocks file, int index, int from, int to, PieceConsumer consumer)
      throws IOException {
    boolean stored = false;
    for (int at = from; at < to; at += DIRECT_BYTES) {
      int end = Math.min(to, at + DIRECT_BYTES);
      if (!readPart(file, index, at, end, consumer)) {
        consumer.accept(readFromStore(file, file.start(index) + at, end - at));
        stored = true;
      }
    }
    return stored;
  }

  private ByteBuffer readFromStore(ObjectBlocks file, long offset, int length) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(length);
    turns.enter(Lane.DEMAND);
    try {
      counters.count(Of.STORE_READS);
      if (file.object().version().isEmpty()) {
        store.read(file.object().name(), offset, piece);
      } else {
        store.read(file.object(), offset, piece);
      }
      counters.add(Of.STORE_BYTES, length);
    } catch (IOException | RuntimeException e) {
      counters.count(Of.STORE_FAILURES);
      throw e;
    } finally {
      turns.leave(Lane.DEMAND);
    }
    return piece.flip();
  }

  /** Returns true if memory or the cache has the first block of a version, as far as is known. */
  public boolean hasFirst(ObjectBlocks file) {
    if (file.count() == 0) {
      return true;
    }
    Block block = memory.pinPresent(file.key(0));
    if (block != null) {
      memory.unpin(block);
      return true;
    }
    return finder.knows(file, 0);
  }

  /** Asks the store for an object's details and first bytes, as one of the bounded reads. */
  public FirstBytes askFirst(String name) throws IOException {
    turns.enter(Lane.DEMAND);
    try {
      return store.first(name, bounds.blockBytes());
    } catch (IOException | RuntimeException | Error e) {
      turns.leave(Lane.DEMAND);
      throw e;
    }
  }

  /**
   * Takes what {@link #askFirst} brought: the bytes become the first block, unless it is there
   * already.
   *
   * @param wantedAt when somebody asked for the object
   */
  public void takeFirst(ObjectBlocks file, FirstBytes first, long wantedAt) {
    Block block = file.count() == 0 || !file.shared() ? null : firstBlock(file);
    if (block == null) {
      loader.drop(first);
      turns.leave(Lane.DEMAND);
      return;
    }
    loader.first(block, file, first, wantedAt, () -> turns.leave(Lane.DEMAND));
  }

  /** Returns the first block, held and to be filled by the caller; null if it is not to be. */
  private @Nullable Block firstBlock(ObjectBlocks file) {
    Block block;
    try {
      block = memory.pin(file.key(0), file.length(0), 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    if (block == null) {
      return null;
    }
    boolean mine = block.take();
    if (mine) {
      memory.hold(block);
    }
    memory.unpin(block);
    return mine ? block : null;
  }

  /** Returns the time. */
  public long now() {
    return nanoTime.getAsLong();
  }

  /** Ends the reads under way; those that wait for the store end when it is closed. */
  public void stop() {
    fill.close();
    finder.close();
  }

  /** Ends everything; the store is closed already, so that its reads end. */
  @Override
  public void close() {
    stop();
    turns.close(LONGEST_GOODBYE);
    inserter.close();
    memory.close();
    memory.awaitEmpty(LONGEST_GOODBYE.toNanos());
  }
}
