package io.quiver.store;

import java.nio.ByteBuffer;

/**
 * The answer to one {@link BlobStore#read}: a status for each hash and the bytes of the hits.
 *
 * <p>The bytes lie in mapped files or borrowed buffers and stay valid, also when their blob is
 * evicted meanwhile, until the batch is closed. The caller must close it. Closing twice is
 * harmless.
 */
public interface BlobBatch extends AutoCloseable {
  /** How many hashes were asked for. */
  int size();

  /** What became of the hash at this place. */
  BlobStatus status(int index);

  /**
   * The bytes of a hit, from position 0 to limit, read-only or not to be written to; a direct
   * buffer whose position the caller may move.
   */
  ByteBuffer bytes(int index);

  /** The CRC32C of a hit's bytes, as recorded when the blob was inserted. */
  int crc32c(int index);

  /** How many are hits. */
  int hits();

  /** The bytes of all hits together. */
  long hitBytes();

  @Override
  void close();
}
