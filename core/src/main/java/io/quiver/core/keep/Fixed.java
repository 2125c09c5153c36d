package io.quiver.core.keep;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Keeps whatever it has taken and refuses what exceeds its quota. Chunks are kept so: the plan
 * drops a whole chunk, nobody evicts part of it. A lowered quota evicts nothing.
 */
public final class Fixed implements Keeper {
  private final KeyTable table = new KeyTable();
  private long quotaBytes;
  private long admissions;
  private long refusals;

  /** Makes an empty keeper. */
  public Fixed(long quotaBytes) {
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
        0,
        List.of(),
        Ranked.UNKNOWN);
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes();
  }
}
