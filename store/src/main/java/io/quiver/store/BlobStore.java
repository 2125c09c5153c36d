package io.quiver.store;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * Stores blobs on local disks by hash, and what names of blocks are bound to, in spaces.
 *
 * <p>Every method may be called from any thread, virtual or not. A store never returns a wrong
 * byte: what it cannot read whole and right is a miss. It never holds more than its capacity: what
 * does not fit is refused. Trouble with a disk shows as misses, refusals and {@link
 * StoreUsage.Activity#failures}, not as exceptions; exceptions are for misuse and for a closed
 * store.
 */
public interface BlobStore extends AutoCloseable {
  /** The bytes of a name: what keepers, quotas and the capacity are charged for it. */
  long NAME_BYTES = 128;

  /** Returns for each hash whether its blob is in the store, without reading it. */
  boolean[] contains(List<ContentHash> hashes);

  /**
   * Reads the first {@code want} blobs of the list that are here, in the order of the list.
   *
   * <p>Blocks while cold blobs come from disk, never for anything else. Stops early when the next
   * blob would take the answer past {@code maxBytes} (it and the rest are {@link
   * BlobBatch.BlobStatus#DEFERRED}), but never before one blob is found, however large.
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
   * Returns what names are bound to, in order; empty where one is not bound. A name is not lost
   * when its blob is: whoever reads the blob finds that out.
   *
   * <p>Blocks while names come from disk. Listeners are told of names as of blobs.
   */
  List<Optional<NameBinding>> resolve(List<BlockName> names);

  /** Binds a name in a space, whatever the space's keeper says. */
  default PutOutcome bind(NameBinding binding, SpaceId space) {
    return bind(binding, space, () -> true);
  }

  /**
   * Binds a name to a blob in a space, or adds the space to the owners of a name that is bound so
   * already. A name that is bound to another blob is unbound in every space before: the last
   * binding counts, also where there is no space for it then. The blob need not be here.
   *
   * <p>No name is the hash of a blob unless somebody means harm. Then the blob has the place: to
   * put it unbinds the name, and to bind the name is {@link PutOutcome#NO_ROOM}.
   *
   * <p>A name lives as a blob does: until its spaces evict it or are dropped, charged {@link
   * #NAME_BYTES}. Reading blobs never finds one, although both are listed and evicted alike, by
   * their fingerprints. When this returns {@link PutOutcome#STORED}, the binding survives the death
   * of the process.
   *
   * @param admit asked once at most; false makes the outcome {@link PutOutcome#NO_ROOM}
   */
  PutOutcome bind(NameBinding binding, SpaceId space, BooleanSupplier admit);

  /**
   * Takes a blob, or the name with this key, out of one space. Its bytes are free again when no
   * other space owns it.
   *
   * @return true if the blob was in the space
   */
  boolean evict(ContentHash hash, SpaceId space);

  /**
   * Takes a blob or a name out of one space, by its {@link ContentHash#fingerprint()}.
   *
   * @return true if the blob was in the space
   */
  boolean evict(long fingerprint, SpaceId space);

  /**
   * Takes out of some spaces every blob and name of certain slots, as {@link #evict(ContentHash,
   * SpaceId)} does, in one pass. Blobs that are inserted meanwhile may stay.
   *
   * @param slots chooses by {@link ContentHash#slot()}
   * @return how many blobs were taken out, counted for each space
   */
  long evict(Set<SpaceId> spaces, IntPredicate slots);

  /**
   * Drops a space and every blob and name that no other space owns.
   *
   * @return the bytes this gave back
   */
  default long drop(SpaceId space) {
    return drop(Set.of(space));
  }

  /**
   * Drops spaces in one pass, and every blob and name that no other space owns.
   *
   * @return the bytes this gave back
   */
  long drop(Set<SpaceId> spaces);

  /**
   * Lists the blobs and names of some spaces in one pass, each space in the order of its writing,
   * about.
   */
  void list(Set<SpaceId> spaces, Listing listing);

  /** Receives the blobs of a listing. */
  @FunctionalInterface
  interface Listing {
    /**
     * Takes one blob or name.
     *
     * @param bytes its length, rounded up to what the store allocates
     */
    void blob(SpaceId space, long fingerprint, long bytes);
  }

  /**
   * Tells a listener the fingerprint of every blob and name of a space that is read, on the thread
   * that reads it: the listener must be brief. Ends when the space is dropped.
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

  /** The outcome of one insert. */
  enum PutOutcome {
    /** The blob is new and visible from now on. */
    STORED,
    /** The blob was in the store; the space is now among its owners. */
    ALREADY_HERE,
    /** The content does not have the hash it was offered under. */
    HASH_MISMATCH,
    /** The blob is longer than the store accepts. */
    TOO_LARGE,
    /** The store's capacity or the space's quota has no space left for the blob. */
    NO_ROOM,
    /** No disk accepted the blob. */
    DISK_FAILURE
  }

  /**
   * The occupancy of one space.
   *
   * @param space its name
   * @param limitBytes its bound, or {@link Long#MAX_VALUE} without one
   * @param chargedBytes the bytes charged to it; a blob of several spaces is charged to one of them
   * @param blobs how many blobs and names it owns, alone or with others
   */
  record SpaceUsage(SpaceId space, long limitBytes, long chargedBytes, long blobs) {}
}
