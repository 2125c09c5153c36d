package io.quiver.core.keep;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Evicts the lowest priority, and admits a blob whose priority is at least the lowest kept (SHADE,
 * §4.2.2). Blobs of equal priority are told apart by how often they were read.
 *
 * <p>A priority is a score or minus the position of the next use. A blob without one ranks below
 * all others, so a known blob never goes for an unknown one. Ghosts are the job's matter: it knows
 * the scores of all samples, a server only those it was told.
 *
 * <p>Several jobs rank the same blobs, and the highest priority counts. Of each blob the two
 * highest of different jobs are kept: when the job of the highest ranks the blob anew or ends, the
 * other takes its place. A third is forgotten until its job ranks the blob again.
 */
public final class Ranked implements Keeper {
  /** Priority of a blob that nobody has ranked. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  /** Most jobs that rank, numbered from 0. */
  public static final int MAX_JOBS = 1 << Byte.SIZE;

  // A rank is a priority of 48 bits, the reads of the blob and the number of the job. Ranks compare
  // as numbers: by priority first, then by reads.
  private static final int PRIORITY_SHIFT = 16;
  private static final int READS_SHIFT = 8;
  private static final int JOB_MASK = MAX_JOBS - 1;
  private static final long READS_MASK = 0x7FL << READS_SHIFT;
  private static final long MOST = Long.MAX_VALUE >> PRIORITY_SHIFT;
  private static final long LEAST = -MOST;
  private static final long UNRANKED = Long.MIN_VALUE;

  private final KeyTable table = new KeyTable();
  private final EntryHeap heap = new EntryHeap(); // the highest rank of each entry
  private long[] second = new long[0]; // of each entry, without reads
  private long quotaBytes;
  private long admissions;
  private long refusals;
  private long evictions;

  /** Makes an empty keeper. */
  public Ranked(long quotaBytes) {
    this.quotaBytes = quotaBytes;
  }

  @Override
  public boolean offer(long key, long bytes, long priority, LongConsumer victims) {
    return offer(key, bytes, priority, 0, victims);
  }

  /**
   * Offers a blob with the priority of one job.
   *
   * @param job its number, less than {@link #MAX_JOBS}
   */
  public boolean offer(long key, long bytes, long priority, int job, LongConsumer victims) {
    long offered = rank(priority, job);
    int known = table.find(key);
    if (known >= 0) {
      read(known);
      rank(known, offered, job);
      return true;
    }
    long lacking = table.usedBytes() + bytes - quotaBytes;
    if (bytes > MAX_BLOB_BYTES
        || bytes > quotaBytes
        || (lacking > 0 && outranked(0, offered, lacking) < lacking)) {
      refusals++;
      return false;
    }
    shrinkTo(quotaBytes - bytes, victims);
    int entry = table.add(key, (int) bytes);
    fit();
    second[entry] = UNRANKED;
    heap.add(entry, offered);
    admissions++;
    return true;
  }

  private static long rank(long priority, int job) {
    return priority == UNKNOWN
        ? UNRANKED
        : Math.clamp(priority, LEAST, MOST) << PRIORITY_SHIFT | (job & JOB_MASK);
  }

  private static long priority(long rank) {
    long priority = rank >> PRIORITY_SHIFT;
    return priority < LEAST ? UNKNOWN : priority;
  }

  private static boolean isOf(long rank, int job) {
    return priority(rank) != UNKNOWN && (rank & JOB_MASK) == job;
  }

  /**
   * Adds up the bytes of blobs that do not outrank an offer, until they are enough.
   *
   * @param place where to begin in the heap: below a blob that outranks the offer there is no other
   */
  private long outranked(int place, long offered, long lacking) {
    if (place >= heap.size() || heap.rankAt(place) >> PRIORITY_SHIFT > offered >> PRIORITY_SHIFT) {
      return 0;
    }
    long bytes = table.bytes(heap.at(place));
    for (int child = 4 * place + 1; child <= 4 * place + 4 && bytes < lacking; child++) {
      bytes += outranked(child, offered, lacking - bytes);
    }
    return bytes;
  }

  private void fit() {
    if (second.length != table.capacity()) {
      second = Arrays.copyOf(second, table.capacity());
      heap.fit(table.capacity());
    }
  }

  @Override
  public boolean touch(long key) {
    int entry = table.find(key);
    if (entry >= 0) {
      read(entry);
    }
    return entry >= 0;
  }

  private void read(int entry) {
    long rank = heap.rank(entry);
    if ((rank & READS_MASK) != READS_MASK) {
      heap.change(entry, rank + (1L << READS_SHIFT));
    }
  }

  @Override
  public void rank(long key, long priority) {
    boolean _ = rank(key, priority, 0);
  }

  /**
   * Replaces the priority that a job gave a blob; {@link #UNKNOWN} takes it back.
   *
   * @return false if the blob is not kept
   */
  public boolean rank(long key, long priority, int job) {
    int entry = table.find(key);
    if (entry >= 0) {
      rank(entry, rank(priority, job), job);
    }
    return entry >= 0;
  }

  private void rank(int entry, long rank, int job) {
    long before = heap.rank(entry);
    long highest = without(job, entry, before) & ~READS_MASK;
    if (rank > highest) {
      second[entry] = highest;
      highest = rank;
    } else if (rank > second[entry]) {
      second[entry] = rank;
    }
    heap.change(entry, highest | (before & READS_MASK));
  }

  /** Takes a job's priority from an entry of this rank; returns the rank it has then. */
  private long without(int job, int entry, long rank) {
    long other = second[entry];
    boolean highest = isOf(rank, job);
    if (highest || isOf(other, job)) {
      second[entry] = UNRANKED;
    }
    return highest ? other | (rank & READS_MASK) : rank;
  }

  /** Takes back all priorities that a job gave: its blobs are ranked by others or not at all. */
  public void release(int job) {
    heap.changeAll((entry, rank) -> without(job, entry, rank));
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
    shrinkTo(bytes, victims);
    if (table.trim()) {
      fit();
    }
  }

  private void shrinkTo(long bytes, LongConsumer victims) {
    while (table.usedBytes() > bytes) {
      int entry = heap.at(0);
      long key = table.key(entry);
      remove(entry);
      evictions++;
      victims.accept(key);
    }
  }

  private void remove(int entry) {
    heap.remove(entry);
    table.remove(entry);
    second[entry] = second[table.size()];
  }

  /** Returns true if no blob is kept. */
  public boolean isEmpty() {
    return heap.size() == 0;
  }

  /** Returns true if another blob of the mean length would not fit. */
  public boolean isFull() {
    int blobs = table.size();
    return table.usedBytes() + (blobs == 0 ? 1 : table.usedBytes() / blobs) > quotaBytes;
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
        lowest());
  }

  /** Returns the lowest priority kept, {@link #UNKNOWN} if there is none. */
  public long lowest() {
    return isEmpty() ? UNKNOWN : priority(heap.rankAt(0));
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes() + heap.memoryBytes() + (long) Long.BYTES * second.length;
  }
}
