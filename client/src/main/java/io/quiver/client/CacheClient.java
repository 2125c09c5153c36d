package io.quiver.client;

import io.quiver.core.hash.ContentHash;
import java.util.List;

/**
 * Reads and inserts batches of blobs at the servers that own them. Safe for use by many threads at
 * once, virtual or not; callers keep the wire busy by having two batches under way.
 */
public interface CacheClient extends AutoCloseable {
  /** A client of these servers. Connections are made when they are first needed. */
  static CacheClient connect(ClientConfig config) {
    return new FleetClient(config, System::nanoTime);
  }

  /** Reads blobs; the caller closes the answer. */
  BlobAnswer get(Question question);

  /** Reads all of these blobs that are there, checked by CRC32C. */
  default BlobAnswer get(List<ContentHash> hashes) {
    return get(Question.all(hashes));
  }

  /** Tells which blobs are there without reading them, and claims the others if asked to. */
  Lookup lookup(List<ContentHash> hashes, boolean claim);

  /** Inserts blobs at their servers. */
  PutAnswer put(List<Blob> blobs);

  /** What this client has done so far. */
  ClientStatistics statistics();

  /** Ends calls under way, closes every connection and waits, briefly, for both. */
  @Override
  void close();
}
