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
}
