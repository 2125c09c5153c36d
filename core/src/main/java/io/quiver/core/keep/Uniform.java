package io.quiver.core.keep;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Admits until it is full, then refuses. Where every blob is read equally often, a share c of the
 * data kept for good hits c of the reads, and no policy hits more (MinIO in CoorDL). So it needs no
 * ghosts: what a larger quota would give is known.
 *
 * <p>A lowered quota evicts what was admitted last, which lies together on disk.
 */
public final class Uniform implements Keeper {
  private final KeyTable table = new KeyTable();
  private long quotaBytes;
  private long admissions;
  private long refusals;
  private long evictions;

  /** Makes an empty keeper. */
  public Uniform(long quotaBytes) {
    this.quotaBytes = quotaBytes;
  }

  @Override
  public boolean offer(long key, long bytes, long priority, LongConsumer victims) {
    if (table.find(key) >= 0) {
      return true;
    }
    if (bytes > MAX_BLOB_BYTES || bytes > quotaBytes - table.usedBytes()) {
      refusals++;
      return false;
    }
    table.add(key, (int) bytes);
    admissions++;
    return true;
  }

  @Override
  public boolean touch(long key) {
    return holds(key);
  }

  @Override
  public boolean forget(long key) {
    int entry = table.find(key);
    if (entry >= 0) {
      table.remove(entry);
    }
    return entry >= 0;
  }

  @Override
  public void resize(long bytes, LongConsumer victims) {
    quotaBytes = bytes;
    while (table.usedBytes() > quotaBytes) {
      int last = table.size() - 1;
      long key = table.key(last);
      table.remove(last);
      evictions++;
      victims.accept(key);
    }
    table.trim();
  }

  @Override
  public boolean holds(long key) {
    return table.find(key) >= 0;
  }

  @Override
  public Report report() {
    return new Report(
        quotaBytes,
        table.usedBytes(),
        table.size(),
        admissions,
        refusals,
        evictions,
        List.of(),
        Ranked.UNKNOWN);
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes();
  }
}
