package io.quiver.core.keep;

import java.util.function.LongConsumer;

/**
 * Evicts the least recently used blob: the plain shared cache that others are compared with.
 *
 * <p>On one random permutation of the data per epoch it hits c + (1 − c) ln(1 − c) of the reads, c
 * being the share that fits: 2.2 % at c = 0.2. That is why training needs something better.
 */
public final class Recent implements Keeper {
  private final KeyTable table = new KeyTable();
  private final EntryLinks links = new EntryLinks();
  private final EntryLinks.Queue queue = new EntryLinks.Queue();
  private final Ghosts ghosts;
  private long quotaBytes;
  private long admissions;
  private long refusals;
  private long evictions;

  /** Makes an empty keeper. */
  public Recent(long quotaBytes) {
    this.quotaBytes = quotaBytes;
    this.ghosts = new Ghosts(quotaBytes);
  }

  @Override
  public boolean offer(long key, long bytes, long priority, LongConsumer victims) {
    if (touch(key)) {
      return true;
    }
    ghosts.missed(key);
    if (bytes > MAX_BLOB_BYTES || bytes > quotaBytes) {
      refusals++;
      return false;
    }
    shrinkTo(quotaBytes - bytes, victims);
    int entry = table.add(key, (int) bytes);
    links.fit(table.capacity());
    links.append(queue, entry, (int) bytes);
    admissions++;
    return true;
  }

  @Override
  public boolean touch(long key) {
    int entry = table.find(key);
    if (entry >= 0) {
      int bytes = table.bytes(entry);
      links.remove(queue, entry, bytes);
      links.append(queue, entry, bytes);
    }
    return entry >= 0;
  }

  @Override
  public boolean forget(long key) {
    int entry = table.find(key);
    if (entry >= 0) {
      remove(entry);
    }
    return entry >= 0;
  }

  @Override
  public void resize(long bytes, LongConsumer victims) {
    quotaBytes = bytes;
    ghosts.resize(bytes);
    shrinkTo(bytes, victims);
    if (table.trim()) {
      links.fit(table.capacity());
    }
  }

  private void shrinkTo(long bytes, LongConsumer victims) {
    while (table.usedBytes() > bytes) {
      int entry = queue.oldest();
      long key = table.key(entry);
      ghosts.evicted(key, table.bytes(entry), table.size());
      remove(entry);
      evictions++;
      victims.accept(key);
    }
  }

  private void remove(int entry) {
    links.remove(queue, entry, table.bytes(entry));
    table.remove(entry);
    if (entry < table.size()) {
      links.renumber(queue, table.size(), entry);
    }
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
        ghosts.hits(),
        Ranked.UNKNOWN);
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes() + links.memoryBytes() + ghosts.memoryBytes();
  }
}
