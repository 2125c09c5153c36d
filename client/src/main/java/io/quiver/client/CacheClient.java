package io.quiver.client;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.RankFrame;
import java.util.List;

/**
 * Reads and inserts batches of blobs, and of names for them, at the servers that own them. Safe for
 * use by many threads at once, virtual or not; callers keep the wire busy by having two batches
 * under way.
 */
public interface CacheClient extends NamedBlocks, AutoCloseable {
  /** Creates a client of these servers. Connections are made when they are first needed. */
  static CacheClient connect(ClientConfig config) {
    return new HttpCacheClient(config, System::nanoTime);
  }

  /** Reads blobs; the caller closes the answer. */
  BlobAnswer get(GetRequest question);

  /** Reads all of these blobs that are there, checked by CRC32C. */
  default BlobAnswer get(List<ContentHash> hashes) {
    return get(GetRequest.all(hashes));
  }

  /** Looks up which blobs are present without reading them, and claims the others if asked to. */
  Lookup lookup(List<ContentHash> hashes, boolean claim);

  /** Inserts blobs at their servers. */
  default PutAnswer put(List<Blob> blobs) {
    return put(blobs, 0);
  }

  /**
   * Inserts blobs into spaces that a plan made.
   *
   * @param plan the plan's version: a server that has not seen it yet waits for it, briefly; 0 for
   *     spaces no plan made
   */
  default PutAnswer put(List<Blob> blobs, long plan) {
    return put(blobs, plan, RankingJob.NO_POSITION);
  }

  /**
   * Inserts blobs with priorities.
   *
   * @param plan as in {@link #put(List, long)}
   * @param position how many samples the job has read so far, over all its ranks, where priorities
   *     are next uses; {@link RankingJob#NO_POSITION} where they are scores
   */
  PutAnswer put(List<Blob> blobs, long plan, long position);

  /**
   * Changes the priorities that this client's job gave to blobs of a ranked space. A blob that is
   * not kept is no error; of several rows for one blob the last one counts.
   *
   * @param plan as in {@link #put(List, long)}
   * @param position as in {@link #put(List, long, long)}
   */
  RankAnswer rank(SpaceId space, List<RankFrame.Row> rows, long plan, long position);

  /**
   * Replaces the servers for all further calls. Calls under way end with those they began with;
   * connections of a server that is gone are closed after the last of them.
   *
   * @param servers at least one, each once
   */
  void changeServers(List<ServerAddress> servers);

  /** Returns the counters of this client. */
  ClientStatistics statistics();

  /** Ends calls under way, closes every connection and waits, briefly, for both. */
  @Override
  void close();
}
