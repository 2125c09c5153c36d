package io.quiver.node.job;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.node.job.Warming.WarmProgress;

/** Computes the length of each chunk of a data set, and from that the progress of its loading. */
final class ChunkBytes {
  private final long[] bytes;
  private long whole = -1;
  private long readWhenWhole;
  private long shown;

  ChunkBytes(DatasetDigest digest, int chunks) {
    bytes = new long[chunks];
    ChunkLayout layout = new ChunkLayout(digest.itemCount(), chunks);
    for (int item = 0; item < digest.itemCount(); item++) {
      bytes[layout.chunkOf(item)] += digest.size(item);
    }
  }

  /**
   * Whole chunks count in full, of those on their way what was read since the last one was whole.
   *
   * @param read bytes read from the store so far
   * @param capacity what the servers offer
   */
  WarmProgress look(DatasetPlan plan, long read, long capacity) {
    long nowWhole = sum(plan, ChunkState.ACTIVE);
    if (nowWhole != whole) {
      whole = nowWhole;
      readWhenWhole = read;
    }
    long done = whole + Math.min(sum(plan, ChunkState.LOADING), read - readWhenWhole);
    shown = Math.max(shown, done);
    return new WarmProgress(
        WarmProgress.Phase.LOADING, shown, Math.max(shown, expected(plan, capacity)));
  }

  private long sum(DatasetPlan plan, ChunkState state) {
    return plan.held().stream()
        .filter(each -> each.role() == ChunkRole.PINNED && each.state() == state)
        .mapToInt(ChunkEntry::chunk)
        .mapToLong(chunk -> bytes[chunk])
        .sum();
  }

  /** As many chunks as fit if nobody else needs the bytes. */
  private static long expected(DatasetPlan plan, long capacity) {
    double chunk = (double) plan.bytes() / plan.chunks();
    return plan.bytes() <= capacity ? plan.bytes() : (long) (Math.floor(capacity / chunk) * chunk);
  }
}
