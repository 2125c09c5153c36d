package io.quiver.remote.ingest;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestException;
import java.security.MessageDigest;

/**
 * Hashes the items of one worker with one SHA-256 and one buffer, both reused.
 *
 * <p>The buffer is an array on the heap, which the digest's compiled loop reads in place, and small
 * enough to stay in the core's own cache between the copy from the kernel and the hashing.
 */
final class Hasher {
  static final int BUFFER_BYTES = 128 << 10;

  private final MessageDigest sha = ContentHash.newDigest();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final byte[] hash = new byte[ContentHash.BYTES];
  private final DigestProgress progress;
  private long counted;

  Hasher(DigestProgress progress) {
    this.progress = progress;
  }

  /** Returns the buffer, for callers that fill it themselves. */
  byte[] buffer() {
    return buffer;
  }

  /** Hashes at most {@code limit} further bytes of a stream and returns their number. */
  long update(InputStream in, long limit) throws IOException {
    long done = 0;
    while (done < limit) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, limit - done));
      if (count < 0) {
        break;
      }
      sha.update(buffer, 0, count);
      count(count);
      done += count;
    }
    return done;
  }

  /** Hashes bytes already in memory. */
  void update(byte[] bytes, int offset, int length) {
    sha.update(bytes, offset, length);
    count(length);
  }

  /** Returns the hash of all bytes since the last call; the array is reused. */
  byte[] finish() {
    try {
      sha.digest(hash, 0, hash.length);
      return hash;
    } catch (DigestException e) {
      throw new IllegalStateException("a SHA-256 has 32 bytes", e);
    }
  }

  /** Discards an unfinished hash and the bytes counted, because a new object starts. */
  void reset() {
    sha.reset();
    counted = 0;
  }

  /** Counts the rest of an object (headers of archives, labels) as done, so that sums agree. */
  void settle(long objectBytes) {
    progress.bytesDone(objectBytes - counted);
    counted = objectBytes;
  }

  /** Counts an object as done by an earlier run. */
  void settleReused(long objectBytes) {
    progress.bytesReused(objectBytes);
  }

  private void count(int bytes) {
    counted += bytes;
    progress.bytesDone(bytes);
  }
}
