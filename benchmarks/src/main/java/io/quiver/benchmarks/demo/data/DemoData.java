package io.quiver.benchmarks.demo.data;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.open.RemoteStores;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A data set to run jobs on: its digest, and its store behind a slow link that all jobs share. */
public final class DemoData implements AutoCloseable {
  private final DigestFile file;
  private final ItemPlaces places;
  private final String uri;

  private DemoData(DigestFile file, String uri) {
    this.file = file;
    this.places = new ItemPlaces(file.digest());
    this.uri = uri;
  }

  /**
   * Opens a data set.
   *
   * @param store where its items lie; empty for where the digest was made
   */
  public static DemoData open(Path digest, String store) throws IOException {
    DigestFile file = DigestFile.open(digest);
    String uri =
        store.isEmpty() ? file.digest().metadata().getOrDefault(DigestMetadata.SOURCE, "") : store;
    return new DemoData(file, uri);
  }

  /** Returns the digest of the data set. */
  public DatasetDigest digest() {
    return file.digest();
  }

  /**
   * Returns the store behind a link of its own, shared by all who hold it.
   *
   * @param bytesPerSecond what the link carries
   * @param latency how long each request waits
   */
  public RemoteStore throttled(StoreMeter meter, long bytesPerSecond, Duration latency)
      throws IOException {
    Throttle link =
        Throttle.realTime(bytesPerSecond, new Throttle.Latency(latency, latency.dividedBy(2), 1));
    RemoteStore store = RemoteStores.open(uri, RemoteConfig.DEFAULT);
    return new MeteredStore(new ThrottledStore(store, link), places, meter);
  }

  /** Returns the store without the link, to lay things out before the clock runs. */
  public RemoteStore direct() throws IOException {
    return RemoteStores.open(uri, RemoteConfig.DEFAULT);
  }

  @Override
  public void close() {
    file.close();
  }

  /** Finds the item that lies at a place of the store: a digest read backwards. */
  static final class ItemPlaces {
    private static final int NOWHERE = -1;

    // For each object, the items in it by where they begin.
    private final Map<String, TreeMap<Long, Integer>> objects = new HashMap<>();

    ItemPlaces(DatasetDigest digest) {
      for (int item = 0; item < digest.itemCount(); item++) {
        objects
            .computeIfAbsent(digest.objectName(digest.objectIndex(item)), _ -> new TreeMap<>())
            .put(digest.offset(item), item);
      }
    }

    /** Returns the item that a read from here on is about; negative if it is about none. */
    int item(String object, long offset) {
      TreeMap<Long, Integer> items = objects.get(object);
      Map.Entry<Long, Integer> at = items == null ? null : items.floorEntry(offset);
      return at == null ? NOWHERE : at.getValue();
    }
  }
}
