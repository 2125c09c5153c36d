package io.quiver.gateway.door.cache;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.remote.RemoteObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Knows the hashes of objects that are whole items of a digest, so that doors and loaders share
 * their blobs. A digest says nothing of versions. It is believed for objects of its size that have
 * not changed since it was made, until bytes from the store prove it wrong.
 *
 * <p>Takes eight bytes for each item beside the digest itself. Safe for use by many threads.
 */
public final class KnownItems {
  private static final int MOST_DISTRUSTED = 10_000;

  private final DatasetDigest digest;
  private final DatasetKey dataset;
  private final String prefix;
  private final Instant madeAt;
  // Hash of the name in the upper half, item in the lower, sorted.
  private final long[] byName;
  // Guarded by itself.
  private final Set<String> distrusted = new HashSet<>();
  private volatile boolean wrong;

  /**
   * Reads the names of a digest.
   *
   * @param prefix stands before the digest's names in the door's store; empty or ending in "/"
   * @param madeAt when the digest was made: objects changed later are not looked for in it
   */
  public KnownItems(DatasetDigest digest, String prefix, Instant madeAt) {
    this.digest = digest;
    this.dataset = DatasetKey.of(digest.identity());
    this.prefix = prefix;
    this.madeAt = madeAt;
    int[] itemsOfObject = new int[Math.toIntExact(digest.objectCount())];
    for (int item = 0; item < digest.itemCount(); item++) {
      itemsOfObject[digest.objectIndex(item)]++;
    }
    long[] names = new long[digest.itemCount()];
    int count = 0;
    for (int item = 0; item < digest.itemCount(); item++) {
      int object = digest.objectIndex(item);
      boolean whole = digest.offset(item) == 0 && digest.itemName(item).isEmpty();
      if (whole && itemsOfObject[object] == 1) {
        names[count++] = key(digest.objectName(object), item);
      }
    }
    this.byName = Arrays.copyOf(names, count);
    Arrays.sort(byName);
  }

  private static long key(String name, int item) {
    return ((long) name.hashCode() << 32) | item;
  }

  /** Returns the key of the data set in plans. */
  public DatasetKey dataset() {
    return dataset;
  }

  /** Returns the number of all items of the digest. */
  public int all() {
    return digest.itemCount();
  }

  /** Returns the number of objects that are whole items. */
  public int count() {
    return byName.length;
  }

  /** Returns true if the digest has an object of this name, whatever its version. */
  public boolean mention(String name) {
    return item(name) >= 0;
  }

  /** Returns the hash of an object's bytes if the digest can be believed for this version. */
  public Optional<ContentHash> find(RemoteObject object) {
    OptionalInt item = item(object);
    return item.isPresent() ? Optional.of(digest.hash(item.getAsInt())) : Optional.empty();
  }

  /** Returns the number of the item that an object is, if the digest can be believed for it. */
  public OptionalInt item(RemoteObject object) {
    int item = item(object.name());
    if (item < 0
        || wrong
        || digest.size(item) != object.size()
        || object.modified().isAfter(madeAt)
        || isDistrusted(object)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(item);
  }

  private int item(String name) {
    if (!name.startsWith(prefix)) {
      return -1;
    }
    String wanted = name.substring(prefix.length());
    int at = Arrays.binarySearch(byName, key(wanted, 0));
    at = at < 0 ? -at - 1 : at;
    while (at < byName.length && (int) (byName[at] >>> 32) == wanted.hashCode()) {
      int item = (int) byName[at++];
      if (digest.objectName(digest.objectIndex(item)).equals(wanted)) {
        return item;
      }
    }
    return -1;
  }

  /** Notes that the bytes of this version have another hash than the digest says. */
  public void distrust(RemoteObject object) {
    synchronized (distrusted) {
      distrusted.add(version(object));
      // Too many to remember: a digest this wrong is not believed at all.
      wrong |= distrusted.size() >= MOST_DISTRUSTED;
    }
  }

  private boolean isDistrusted(RemoteObject object) {
    synchronized (distrusted) {
      return !distrusted.isEmpty() && distrusted.contains(version(object));
    }
  }

  private static String version(RemoteObject object) {
    return object.version() + "/" + object.name();
  }
}
