package io.quiver.gateway.door.block;

import io.quiver.client.Blob;
import io.quiver.client.PutAnswer;
import io.quiver.core.engine.InsertQueue;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.cache.GuardedCache;
import io.quiver.protocol.Receipt;
import io.quiver.remote.RemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings blocks that were read from the store into the cache and binds their names, in the
 * background. Never makes anybody wait: what does not fit into its queue is not inserted, which
 * costs another read of the store at worst. A block stays in memory until its insert has ended.
 */
final class BlockInserter implements AutoCloseable {
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);
  private static final int THREADS = 2;

  private final GuardedCache cache;
  private final BlockFinder finder;
  private final BlockMemory memory;
  private final BlockCounters counters;
  private final BlockPlacing placing;
  private final Consumer<RemoteObject> distrust;
  private final InsertBacklog backlog;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  // Guarded by the lock.
  private final InsertQueue<Entry> queue;
  private boolean closed;
  private final List<Thread> threads = new ArrayList<>();

  private record Entry(Block block, ObjectBlocks file, int index, int attempt) {
    Entry again() {
      return new Entry(block, file, index, attempt + 1);
    }
  }

  /** A block with its hash, as it goes to the server. */
  private record Hashed(Entry entry, ContentHash hash) {}

  /**
   * Starts to insert.
   *
   * @param placing says into which space each block goes
   * @param backlog bounds and counts the bytes that wait
   * @param distrust hears of versions whose bytes are not those of the digest
   */
  BlockInserter(
      GuardedCache cache,
      BlockFinder finder,
      BlockMemory memory,
      BlockCounters counters,
      BlockPlacing placing,
      InsertBacklog backlog,
      Consumer<RemoteObject> distrust) {
    this.cache = cache;
    this.finder = finder;
    this.memory = memory;
    this.counters = counters;
    this.placing = placing;
    this.distrust = distrust;
    this.backlog = backlog;
    this.queue =
        new InsertQueue<>(
            ReadRules.INSERT_ITEMS,
            ReadRules.INSERT_BYTES,
            backlog.mostBytes(),
            entry -> entry.block().length());
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofVirtual().name("quiver-door-insert").start(this::run));
    }
  }

  /** Queues a block that is complete, if the queue is not full. */
  void offer(Block block, ObjectBlocks file, int index) {
    memory.hold(block);
    if (!enqueue(new Entry(block, file, index, 1))) {
      giveUp(block);
    }
  }

  private void giveUp(Block block) {
    counters.count(Of.NOT_INSERTED);
    memory.letGo(block);
  }

  private boolean enqueue(Entry entry) {
    lock.lock();
    try {
      boolean queued = !closed && queue.offer(entry);
      backlog.add(queued ? entry.block().length() : 0);
      arrived.signal();
      return queued;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    List<Entry> batch = take();
    while (!batch.isEmpty()) {
      insert(batch);
      batch = take();
    }
  }

  /** Waits for something to insert, then a moment for more; empty at the end. */
  private List<Entry> take() {
    lock.lock();
    try {
      while (true) {
        while (queue.isEmpty() && !closed) {
          arrived.awaitUninterruptibly();
        }
        long left = ReadRules.INSERT_LINGER.toNanos();
        while (!closed && left > 0 && !queue.isFull()) {
          left = arrived.awaitNanos(left);
        }
        List<Entry> batch = queue.take();
        if (closed || !batch.isEmpty()) {
          return batch;
        }
      }
    } catch (InterruptedException e) {
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  private void insert(List<Entry> batch) {
    List<Hashed> hashed = batch.stream().map(this::hash).toList();
    List<Blob> blobs = hashed.stream().map(this::blob).toList();
    PutAnswer answer = cache.put(blobs);
    Map<SpaceId, List<NameBinding>> bindings = new HashMap<>();
    for (int i = 0; i < hashed.size(); i++) {
      if (answer != null && answer.here(i)) {
        bindings
            .computeIfAbsent(blobs.get(i).space(), any -> new ArrayList<>())
            .add(binding(hashed.get(i)));
      }
    }
    bindings.forEach(cache::bind);
    settle(hashed, answer);
  }

  private Hashed hash(Entry entry) {
    Block block = entry.block();
    ContentHash hash = ContentHash.ofContent(block.view(0, block.length()));
    if (entry.file().count() == 1
        && finder.item(entry.file()).filter(expected -> !expected.equals(hash)).isPresent()) {
      distrust.accept(entry.file().object());
    }
    return new Hashed(entry, hash);
  }

  private Blob blob(Hashed hashed) {
    Block block = hashed.entry().block();
    SpaceId space = placing.space(hashed.entry().file(), cache.cache().space());
    return new Blob(hashed.hash(), space, block.view(0, block.length()));
  }

  private NameBinding binding(Hashed hashed) {
    Entry entry = hashed.entry();
    finder.bindings().remember(entry.block().key(), hashed.hash());
    return new NameBinding(
        finder.name(entry.file(), entry.index()), hashed.hash(), entry.block().length());
  }

  /** Ends an insert; blocks whose server had not heard of the plan yet are queued again. */
  private void settle(List<Hashed> hashed, @Nullable PutAnswer answer) {
    lock.lock();
    try {
      queue.inserted(hashed.stream().map(Hashed::entry).toList());
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < hashed.size(); i++) {
      Entry entry = hashed.get(i).entry();
      backlog.remove(entry.block().length());
      Optional<Receipt> receipt = answer == null ? Optional.empty() : answer.receipt(i);
      boolean again =
          receipt.equals(Optional.of(Receipt.NOT_PLANNED))
              && entry.attempt() < ReadRules.INSERT_ATTEMPTS;
      if (receipt.filter(Receipt::here).isPresent()) {
        counters.count(Of.INSERTED_BLOCKS);
        counters.add(Of.INSERTED_BYTES, entry.block().length());
        memory.letGo(entry.block());
      } else if (!again || !enqueue(entry.again())) {
        giveUp(entry.block());
      }
    }
  }

  /** Inserts what waits, and gives up what takes too long. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      for (Thread thread : threads) {
        thread.join(LONGEST_GOODBYE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Entry> left;
    lock.lock();
    try {
      left = queue.clear();
    } finally {
      lock.unlock();
    }
    left.forEach(entry -> giveUp(entry.block()));
  }
}
