package io.quiver.store.faulty;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreUsage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * Injects faults into another store: blobs are not found, puts fail, calls take long. Faults can be
 * changed at any time, so that a test can break a disk and mend it. Closing closes the store
 * underneath.
 */
public final class FaultyBlobStore implements BlobStore {
  private final BlobStore store;
  private final LongAdder failures = new LongAdder();
  private volatile Faults faults;
  private Random dice;

  /** Wraps a store with these faults. */
  public FaultyBlobStore(BlobStore store, Faults faults) {
    this.store = store;
    this.faults = faults;
    dice = new Random(faults.seed());
  }

  /** Changes the faults from now on and restarts the random sequence. */
  public synchronized void faults(Faults next) {
    faults = next;
    dice = new Random(next.seed());
  }

  @Override
  public boolean[] contains(List<ContentHash> hashes) {
    delay();
    boolean[] here = store.contains(hashes);
    for (int i = 0; i < here.length; i++) {
      here[i] &= !strikes(faults.missing());
    }
    return here;
  }

  @Override
  public BlobBatch read(List<ContentHash> hashes, int want, long maxBytes) {
    delay();
    return store.read(withholding(hashes), want, maxBytes);
  }

  @Override
  public BlobBatch readChecked(List<ContentHash> hashes, int want, long maxBytes) {
    delay();
    return store.readChecked(withholding(hashes), want, maxBytes);
  }

  /** Replaces hashes that are to be missed by hashes no blob has. */
  private List<ContentHash> withholding(List<ContentHash> hashes) {
    List<ContentHash> asked = new ArrayList<>(hashes.size());
    for (ContentHash hash : hashes) {
      boolean missed = strikes(faults.missing());
      if (missed) {
        failures.increment();
      }
      asked.add(missed ? nobody() : hash);
    }
    return asked;
  }

  private synchronized ContentHash nobody() {
    byte[] bytes = new byte[ContentHash.BYTES];
    dice.nextBytes(bytes);
    return ContentHash.of(bytes);
  }

  @Override
  public PutOutcome put(
      ContentHash hash, SpaceId space, ByteBuffer content, BooleanSupplier admit) {
    delay();
    if (strikes(faults.refusing())) {
      failures.increment();
      return PutOutcome.DISK_FAILURE;
    }
    return store.put(hash, space, content, admit);
  }

  @Override
  public List<Optional<NameBinding>> resolve(List<BlockName> names) {
    delay();
    List<Optional<NameBinding>> bindings = new ArrayList<>(store.resolve(names));
    bindings.replaceAll(each -> strikes(faults.missing()) ? Optional.empty() : each);
    return bindings;
  }

  @Override
  public PutOutcome bind(NameBinding binding, SpaceId space, BooleanSupplier admit) {
    delay();
    if (strikes(faults.refusing())) {
      failures.increment();
      return PutOutcome.DISK_FAILURE;
    }
    return store.bind(binding, space, admit);
  }

  @Override
  public boolean evict(ContentHash hash, SpaceId space) {
    return store.evict(hash, space);
  }

  @Override
  public boolean evict(long fingerprint, SpaceId space) {
    return store.evict(fingerprint, space);
  }

  @Override
  public long evict(Set<SpaceId> spaces, IntPredicate slots) {
    return store.evict(spaces, slots);
  }

  @Override
  public long drop(Set<SpaceId> spaces) {
    return store.drop(spaces);
  }

  @Override
  public void list(Set<SpaceId> spaces, Listing listing) {
    store.list(spaces, listing);
  }

  @Override
  public void listen(SpaceId space, LongConsumer read) {
    store.listen(space, read);
  }

  @Override
  public void limit(SpaceId space, long bytes) {
    store.limit(space, bytes);
  }

  @Override
  public StoreUsage usage() {
    StoreUsage usage = store.usage();
    return new StoreUsage(
        usage.capacityBytes(),
        usage.reservedBytes(),
        usage.usedBytes(),
        usage.liveBytes(),
        usage.blobs(),
        usage.names(),
        new StoreUsage.Activity(
            usage.activity().warmReads(),
            usage.activity().coldReads(),
            usage.activity().writtenBytes(),
            usage.activity().corruptBlobs(),
            usage.activity().failures() + failures.sum()));
  }

  @Override
  public List<SpaceUsage> spaces() {
    return store.spaces();
  }

  @Override
  public void close() {
    store.close();
  }

  private void delay() {
    if (strikes(faults.slow())) {
      LockSupport.parkNanos(faults.delay().toNanos());
    }
  }

  private synchronized boolean strikes(double share) {
    return share > 0 && dice.nextDouble() < share;
  }
}
