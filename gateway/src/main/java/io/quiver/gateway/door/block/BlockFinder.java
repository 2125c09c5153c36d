package io.quiver.gateway.door.block;

import io.quiver.client.BlobAnswer;
import io.quiver.client.BlobPart;
import io.quiver.client.NamedBlocks.NameLookup;
import io.quiver.core.engine.ClaimPatience;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.BlockNames;
import io.quiver.core.name.NameBinding;
import io.quiver.core.stream.BlockPlace;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.cache.GuardedCache;
import io.quiver.protocol.AskStatus;
import io.quiver.remote.RemoteObject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a block in the cache: by its hash where that is known, else by its name. Decides who
 * reads a block that is not there, and waits, briefly, for one that another door reads.
 */
final class BlockFinder {
  private final GuardedCache cache;
  private final BlockNames names;
  private final String storeId;
  private final LongSupplier nanoTime;
  private final BlockCounters counters;
  private final Function<RemoteObject, Optional<ContentHash>> items;
  private final BlockPlacing placing;
  private final InsertBacklog backlog;
  private volatile boolean closed;
  private final Bindings bindings = new Bindings();
  // Guarded by itself.
  private final ClaimPatience patience = new ClaimPatience();

  /** The outcome of a look into the cache. */
  sealed interface Finding {
    /** The cache has it; whoever gets this closes the answer. */
    record Held(BlobAnswer answer) implements Finding {}

    /**
     * This door is to read it from the store.
     *
     * @param insert true if it can be inserted afterwards
     */
    record Yours(boolean insert) implements Finding {}

    /** Another door is reading it. */
    record Pending() implements Finding {}
  }

  private static final Finding NOBODY_ANSWERS = new Finding.Yours(false);
  private static final Finding TO_READ = new Finding.Yours(true);
  private static final Finding PENDING = new Finding.Pending();

  /**
   * Makes a finder.
   *
   * @param items tells the hash of a whole object if a digest does, as believed at the moment
   * @param placing says which blocks are to be inserted
   * @param backlog tells whether what is claimed can be inserted
   */
  BlockFinder(
      GuardedCache cache,
      BlockNames names,
      String storeId,
      LongSupplier nanoTime,
      BlockCounters counters,
      Function<RemoteObject, Optional<ContentHash>> items,
      BlockPlacing placing,
      InsertBacklog backlog) {
    this.cache = cache;
    this.names = names;
    this.storeId = storeId;
    this.nanoTime = nanoTime;
    this.counters = counters;
    this.items = items;
    this.placing = placing;
    this.backlog = backlog;
  }

  /** Returns the hash of a whole object where a digest tells it. */
  Optional<ContentHash> item(ObjectBlocks file) {
    return items.apply(file.object());
  }

  BlockName name(ObjectBlocks file, int index) {
    return names.of(storeId, file.object().name(), file.version(), file.blockBytes(), index);
  }

  Bindings bindings() {
    return bindings;
  }

  /**
   * Looks for a block until the cache has it or this door is to read it. Waits for another door
   * that reads it as long as such waits have been worth while.
   */
  Finding await(ObjectBlocks file, int index) {
    Finding finding = look(file, index, true);
    if (!(finding instanceof Finding.Pending)) {
      return finding;
    }
    counters.count(Of.SHARED_WAITS);
    long began = nanoTime.getAsLong();
    long longest = patienceNanos(began);
    long pause = ReadRules.FIRST_PENDING_PAUSE.toNanos();
    while (finding instanceof Finding.Pending && nanoTime.getAsLong() - began < longest) {
      if (closed || !pause(pause)) {
        return NOBODY_ANSWERS;
      }
      pause = Math.min(2 * pause, ReadRules.LONGEST_PENDING_PAUSE.toNanos());
      finding = look(file, index, true);
    }
    waited(finding instanceof Finding.Held, began);
    return finding instanceof Finding.Pending ? TO_READ : finding;
  }

  /**
   * Returns false if the thread was interrupted: its reader gives up, others may want the block.
   */
  private static boolean pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private long patienceNanos(long now) {
    synchronized (patience) {
      return patience.nanos(now);
    }
  }

  private void waited(boolean delivered, long began) {
    long now = nanoTime.getAsLong();
    synchronized (patience) {
      if (delivered) {
        patience.delivered(began, now);
      } else {
        patience.inVain(began, now);
      }
    }
  }

  /**
   * Looks for a block once.
   *
   * @param wanted true to claim it if it is missing, unless too much waits to be inserted
   */
  Finding look(ObjectBlocks file, int index, boolean wanted) {
    boolean claim = wanted && backlog.isLow() && placing.inserts(file);
    if (closed || !file.shared() || !cache.cache().usable()) {
      return NOBODY_ANSWERS;
    }
    Optional<ContentHash> item = item(file);
    if (item.isPresent()) {
      Finding known = lookForItem(file, index, item.get(), claim);
      if (known != null) {
        return known;
      }
    }
    BlockKey key = file.key(index);
    ContentHash hash = bindings.find(key);
    if (hash == null) {
      NameLookup lookup = cache.resolve(name(file, index), claim);
      Optional<NameBinding> binding = bound(lookup, file, index);
      if (binding.isEmpty()) {
        return unbound(lookup);
      }
      hash = binding.get().hash();
      bindings.remember(key, hash);
    }
    return lookForBlob(file, index, hash, claim);
  }

  /** Returns the finding for an item of a digest; null if its name is to be looked for as well. */
  private @Nullable Finding lookForItem(
      ObjectBlocks file, int index, ContentHash hash, boolean claim) {
    if (file.count() == 1) {
      return lookForBlob(file, index, hash, claim);
    }
    BlobAnswer part = readPart(hash, file.start(index), file.length(index));
    return part == null ? null : new Finding.Held(part);
  }

  private static Optional<NameBinding> bound(
      @Nullable NameLookup lookup, ObjectBlocks file, int index) {
    return lookup == null
        ? Optional.empty()
        : lookup.bindings().getFirst().filter(found -> found.length() == file.length(index));
  }

  private static Finding unbound(@Nullable NameLookup lookup) {
    if (lookup == null) {
      return NOBODY_ANSWERS;
    }
    return switch (lookup.statuses().getFirst()) {
      case PENDING -> PENDING;
      case MISS -> lookup.failures().isEmpty() ? TO_READ : NOBODY_ANSWERS;
      // A binding of another length is wrong: what is read replaces it.
      case HIT, YOURS, SKIPPED, DEFERRED -> TO_READ;
    };
  }

  private Finding lookForBlob(ObjectBlocks file, int index, ContentHash hash, boolean claim) {
    BlobAnswer answer = cache.get(hash, claim);
    if (answer == null) {
      return NOBODY_ANSWERS;
    }
    AskStatus status = answer.status(0);
    if (status == AskStatus.HIT && answer.hitBytes() == file.length(index)) {
      counted(answer);
      return new Finding.Held(answer);
    }
    boolean failed = !answer.failures().isEmpty();
    answer.close();
    bindings.forget(file.key(index));
    return switch (status) {
      case PENDING -> PENDING;
      case YOURS -> TO_READ;
      case HIT, MISS, SKIPPED, DEFERRED -> failed ? NOBODY_ANSWERS : TO_READ;
    };
  }

  /**
   * Reads a part of a block from the cache. Claims nothing.
   *
   * @return the answer, which is a hit and which the caller closes; null if the cache does not have
   *     the block
   */
  @Nullable BlobAnswer part(ObjectBlocks file, int index, int from, int length) {
    if (closed || !file.shared() || !cache.cache().usable()) {
      return null;
    }
    Optional<ContentHash> item = item(file);
    if (item.isPresent()) {
      BlobAnswer answer = readPart(item.get(), file.start(index) + from, length);
      if (answer != null || file.count() == 1) {
        return answer;
      }
    }
    BlockKey key = file.key(index);
    ContentHash hash = bindings.find(key);
    if (hash == null) {
      NameLookup lookup = cache.resolve(name(file, index), false);
      hash = bound(lookup, file, index).map(NameBinding::hash).orElse(null);
    }
    if (hash == null) {
      return null;
    }
    BlobAnswer answer = readPart(hash, from, length);
    if (answer == null) {
      bindings.forget(key);
    } else {
      bindings.addPart(key, hash, length);
    }
    return answer;
  }

  private @Nullable BlobAnswer readPart(ContentHash hash, long offset, int length) {
    BlobAnswer answer = cache.read(new BlobPart(hash, offset, length));
    if (answer == null) {
      return null;
    }
    if (answer.status(0) != AskStatus.HIT || answer.hitBytes() != length) {
      answer.close();
      return null;
    }
    counted(answer);
    return answer;
  }

  /** Returns true if the cache knows a block, or another door is reading it. Claims nothing. */
  boolean knows(ObjectBlocks file, int index) {
    if (closed || !file.shared() || !cache.cache().usable()) {
      return false;
    }
    BlockKey key = file.key(index);
    boolean isItem = file.count() == 1 && item(file).isPresent();
    if (isItem || bindings.find(key) != null) {
      return true;
    }
    NameLookup lookup = cache.resolve(name(file, index), false);
    Optional<NameBinding> binding = bound(lookup, file, index);
    binding.ifPresent(found -> bindings.remember(key, found.hash()));
    return binding.isPresent()
        || (lookup != null && lookup.statuses().getFirst() == AskStatus.PENDING);
  }

  /** Returns true if the cache would take the blocks of an object now. */
  boolean keeps(ObjectBlocks file) {
    return file.shared() && placing.inserts(file) && backlog.isLow() && cache.cache().usable();
  }

  /** Asks nothing any more. */
  void close() {
    closed = true;
  }

  /** Tells whoever plans the space that streams share that a block of no stream was brought. */
  void noteRead(ObjectBlocks file, int index, boolean fromStore, long tookNanos) {
    boolean ofNoStream = placing.of(file) instanceof BlockPlace.Shared;
    if (file.shared() && ofNoStream && cache.cache().usable()) {
      cache.cache().noteRead(file.key(index).bits(), file.length(index), fromStore, tookNanos);
    }
  }

  private void counted(BlobAnswer answer) {
    counters.count(Of.CACHE_HITS);
    counters.add(Of.CACHE_BYTES, answer.hitBytes());
  }
}
