package io.quiver.store;

import java.nio.ByteBuffer;

/**
 * The answer to one {@link BlobStore#read}: a status for each hash and the bytes of the hits.
 *
 * <p>The bytes lie in mapped files or borrowed buffers. They stay valid until the batch is closed,
 * even if their blob is evicted meanwhile. The caller must close it. Closing twice is harmless.
 */
public interface BlobBatch extends AutoCloseable {
  /** Returns the number of hashes asked for. */
  int size();

  /** Returns the status of the hash at this index. */
  BlobStatus status(int index);

  /**
   * Returns the bytes of a hit, from position 0 to limit, read-only or not to be written to; a
   * direct buffer whose position the caller may move.
   */
  ByteBuffer bytes(int index);

  /** Returns the CRC32C of a hit's bytes, as recorded when the blob was inserted. */
  int crc32c(int index);

  /** Returns the number of hits. */
  int hits();

  /** Returns the bytes of all hits together. */
  long hitBytes();

  @Override
  void close();

  /** The status of one hash in a batch. */
  enum BlobStatus {
    /** The blob is absent or damaged. */
    MISS,
    /** The blob is in the store and its bytes are in the batch. */
    HIT,
    /** The blob was not looked up, because enough blobs had been found before it. */
    SKIPPED,
    /** The answer was full before this blob: ask again. */
    DEFERRED
  }
}
