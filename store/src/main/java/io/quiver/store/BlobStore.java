package io.quiver.store;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Stores blobs on local disks by hash, in spaces.
 *
 * <p>Every method may be called from any thread, virtual or not. A store never returns a wrong
 * byte: what it cannot read whole and right is a miss. It never holds more than its capacity: what
 * does not fit is refused. Trouble with a disk shows as misses, refusals and {@link
 * StoreUsage#failures}, not as exceptions; exceptions are for misuse and for a closed store.
 */
public interface BlobStore extends AutoCloseable {

  /** Returns for each hash whether its blob is in the store, without reading it. */
  boolean[] contains(List<ContentHash> hashes);

  /**
   * Reads the first {@code want} blobs of the list that are here, in the order of the list.
   *
   * <p>Blocks while cold blobs come from disk, never for anything else. Stops early when the next
   * blob would take the answer past {@code maxBytes} (it and the rest are {@link
   * BlobStatus#DEFERRED}), but never before one blob is found, however large.
   *
   * @param want the number of blobs to find, 1 to the size of the list
   * @return what was found; the caller closes it when the bytes have been sent
   */
  BlobBatch read(List<ContentHash> hashes, int want, long maxBytes);

  /**
   * Reads like {@link #read}, but compares every byte with the checksum recorded when the blob was
   * inserted, also where the store trusts memory it filled itself. For callers that cannot check
   * the bytes on their side.
   */
  default BlobBatch readChecked(List<ContentHash> hashes, int want, long maxBytes) {
    return read(hashes, want, maxBytes);
  }

  /**
   * Inserts one blob into a space, or adds the space to its owners if the blob is here already.
   *
   * <p>The content is hashed before it becomes visible. When this returns {@link
   * PutOutcome#STORED}, the blob survives the death of the process.
   *
   * @param content the whole blob; its position does not move
   */
  default PutOutcome put(ContentHash hash, SpaceId space, ByteBuffer content) {
    return put(hash, space, content, () -> true);
  }

  /**
   * Inserts one blob if somebody admits it. The question comes after the content is known to have
   * its hash and before anything is written, so that nobody evicts for a blob that is none.
   *
   * @param admit asked once at most; false makes the outcome {@link PutOutcome#NO_ROOM}
   */
  PutOutcome put(ContentHash hash, SpaceId space, ByteBuffer content, BooleanSupplier admit);

  /**
   * Takes a blob out of one space. Its bytes are free again when no other space owns it.
   *
   * @return true if the blob was in the space
   */
  boolean evict(ContentHash hash, SpaceId space);

  /**
   * Takes a blob out of one space, by its {@link ContentHash#fingerprint()}.
   *
   * @return true if the blob was in the space
   */
  boolean evict(long fingerprint, SpaceId space);

  /**
   * Drops a space and every blob that no other space owns.
   *
   * @return the bytes this gave back
   */
  default long drop(SpaceId space) {
    return drop(Set.of(space));
  }

  /**
   * Drops spaces in one pass, and every blob that no other space owns.
   *
   * @return the bytes this gave back
   */
  long drop(Set<SpaceId> spaces);

  /** Lists the blobs of some spaces in one pass, each space in the order of its writing, about. */
  void list(Set<SpaceId> spaces, Listing listing);

  /** Receives the blobs of a listing. */
  @FunctionalInterface
  interface Listing {
    /**
     * Takes one blob.
     *
     * @param bytes its length, rounded up to what the store allocates
     */
    void blob(SpaceId space, long fingerprint, long bytes);
  }

  /**
   * Tells a listener the fingerprint of every blob of a space that is read, on the thread that
   * reads it: the listener must be brief. Ends when the space is dropped.
   */
  void listen(SpaceId space, LongConsumer read);

  /**
   * Sets the quota of a space; a lower quota than the space holds evicts nothing but refuses
   * further puts.
   */
  void limit(SpaceId space, long bytes);

  /** Returns the current occupancy and counters. */
  StoreUsage usage();

  /** Returns every space that holds something or has a quota, ordered by name. */
  List<SpaceUsage> spaces();

  /** Ends background work and releases the disks. Batches still open stay readable. */
  @Override
  void close();
}
