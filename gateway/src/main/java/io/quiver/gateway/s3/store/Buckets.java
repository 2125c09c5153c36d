package io.quiver.gateway.s3.store;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.signature.AccessKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The buckets that the endpoint shows. Each store is opened once for every profile that reads it,
 * and everybody who reads with that profile shares its door.
 */
public final class Buckets implements AutoCloseable {
  private final Map<String, String> addresses;
  private final StoreOpener opener;
  private final Map<Place, OpenStore> open = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private boolean closed;

  private record Place(String address, String profile) {}

  /**
   * Makes the table.
   *
   * @param addresses where the objects of each bucket are, by the bucket's name
   */
  public Buckets(Map<String, String> addresses, StoreOpener opener) {
    this.addresses = new TreeMap<>(addresses);
    this.opener = opener;
  }

  /** Returns the names of all buckets, in order. */
  public List<String> names() {
    return List.copyOf(addresses.keySet());
  }

  /** Opens every bucket with the endpoint's own credentials, to find mistakes at the start. */
  public void openAll() throws IOException {
    for (String address : addresses.values()) {
      open(new Place(address, ""));
    }
  }

  /** Refuses a bucket that is not served. */
  public void require(String bucket) throws S3Failure {
    if (!addresses.containsKey(bucket)) {
      throw S3Failure.of(S3Code.NO_SUCH_BUCKET, "The specified bucket does not exist")
          .with(Map.of("BucketName", bucket));
    }
  }

  /** Returns the store behind a bucket, as this key may reach it. */
  public OpenStore open(String bucket, AccessKey key) throws IOException, S3Failure {
    String address = addresses.get(bucket);
    if (address == null) {
      require(bucket);
      throw new IllegalStateException("unreachable");
    }
    Place place = new Place(address, key.profile());
    OpenStore store = open.get(place);
    return store == null ? open(place) : store;
  }

  private OpenStore open(Place place) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IOException("the endpoint is closing");
      }
      OpenStore present = open.get(place);
      if (present != null) {
        return present;
      }
      OpenStore store = opener.open(place.address, place.profile);
      open.put(place, store);
      return store;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the doors that are open, by the bucket's address and the profile. */
  public Map<String, Door> doors() {
    Map<String, Door> doors = new HashMap<>();
    open.forEach((place, store) -> doors.put(place.address + " " + place.profile, store.door()));
    return doors;
  }

  @Override
  public void close() {
    List<OpenStore> stores;
    lock.lock();
    try {
      closed = true;
      stores = new ArrayList<>(open.values());
      open.clear();
    } finally {
      lock.unlock();
    }
    stores.forEach(OpenStore::close);
  }
}
