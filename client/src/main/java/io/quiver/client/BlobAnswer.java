package io.quiver.client;

import io.quiver.protocol.AskStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * The answer to a get: a status for each hash and the bytes of the hits, in the order asked.
 *
 * <p>The bytes lie in pooled direct memory that is used again after {@link #close()}; a caller that
 * needs them longer copies them. The caller must close the answer; closing twice is harmless.
 */
public interface BlobAnswer extends AutoCloseable {
  /** Returns the number of hashes asked for. */
  int size();

  /**
   * Returns the status of the hash at this index. The hashes of a failed server are misses; {@link
   * AskStatus#DEFERRED} remains only where the client's buffer budget was full: close this answer
   * and ask again.
   */
  AskStatus status(int index);

  /**
   * Returns the bytes of a hit, from position 0 to limit, in a read-only direct buffer of the
   * caller's own.
   *
   * @throws IllegalStateException if the blob at this place is not a hit or the answer is closed
   */
  ByteBuffer bytes(int index);

  /** Returns the number of hits. */
  int hits();

  /** Returns the bytes of all hits together. */
  long hitBytes();

  /** Returns the number of hashes with this status. */
  int count(AskStatus status);

  /** Returns the lease of the claims granted, zero when none was granted. */
  Duration claimLease();

  /** Returns the servers that had no part in the answer, and why; empty when all is well. */
  List<ServerFailure> failures();

  /** Returns the memory to the pool. */
  @Override
  void close();
}
