package io.quiver.store.ssd;

import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Answers a read with slices of mapped segments, which the batch's epoch keeps from being released.
 */
final class MappedBatch implements BlobBatch {
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final BlobStatus[] statuses;
  private final @Nullable ByteBuffer[] bytes;
  private final int[] checksums;
  private int hits;
  private long hitBytes;

  MappedBatch(int size, Runnable onClose) {
    this.onClose = onClose;
    statuses = new BlobStatus[size];
    Arrays.fill(statuses, BlobStatus.MISS);
    bytes = new @Nullable ByteBuffer[size];
    checksums = new int[size];
  }

  /** Records a blob that was found; it becomes a hit once all before it are. */
  void found(int index, ByteBuffer content, int crc32c) {
    bytes[index] = content;
    checksums[index] = crc32c;
  }

  boolean isFound(int index) {
    return bytes[index] != null;
  }

  int foundBytes(int index) {
    ByteBuffer found = bytes[index];
    return found == null ? 0 : found.limit();
  }

  void hit(int index) {
    statuses[index] = BlobStatus.HIT;
    hits++;
    hitBytes += foundBytes(index);
  }

  /** Sets one status for all remaining hashes. */
  void rest(int from, BlobStatus status) {
    Arrays.fill(statuses, from, statuses.length, status);
  }

  @Override
  public int size() {
    return statuses.length;
  }

  @Override
  public BlobStatus status(int index) {
    return statuses[index];
  }

  @Override
  public ByteBuffer bytes(int index) {
    ByteBuffer found = bytes[index];
    if (found == null || statuses[index] != BlobStatus.HIT) {
      throw new IllegalStateException("no hit at " + index + " but " + statuses[index]);
    }
    if (closed.get()) {
      throw new IllegalStateException("the batch is closed");
    }
    return found;
  }

  @Override
  public int crc32c(int index) {
    if (statuses[index] != BlobStatus.HIT) {
      throw new IllegalStateException("no hit at " + index + " but " + statuses[index]);
    }
    return checksums[index];
  }

  @Override
  public int hits() {
    return hits;
  }

  @Override
  public long hitBytes() {
    return hitBytes;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      onClose.run();
    }
  }
}
