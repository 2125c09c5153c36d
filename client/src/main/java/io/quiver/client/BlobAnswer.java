package io.quiver.client;

import io.quiver.protocol.AskStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * The answer to a get: a status for each hash and the bytes of the hits, in the order asked.
 *
 * <p>The bytes lie in pooled direct memory that is used again after {@link #close()}: whoever needs
 * them longer copies them. The caller must close the answer; closing twice is harmless.
 */
public interface BlobAnswer extends AutoCloseable {
  /** How many hashes were asked for. */
  int size();

  /**
   * What became of the hash at this place. The hashes of a failed server are misses; {@link
   * AskStatus#DEFERRED} remains only where the client's buffer budget was full: close this answer
   * and ask again.
   */
  AskStatus status(int index);

  /**
   * The bytes of a hit, from position 0 to limit, in a read-only direct buffer of the caller's own.
   *
   * @throws IllegalStateException if the blob at this place is not a hit or the answer is closed
   */
  ByteBuffer bytes(int index);

  /** How many are hits. */
  int hits();

  /** The bytes of all hits together. */
  long hitBytes();

  /** How many have this status. */
  int count(AskStatus status);

  /** How long the claims granted hold, zero when none was granted. */
  Duration claimLease();

  /** Servers that had no part in the answer, and why; empty when all is well. */
  List<ServerFailure> failures();

  /** Gives the memory back. */
  @Override
  void close();
}
