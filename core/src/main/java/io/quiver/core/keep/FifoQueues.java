package io.quiver.core.keep;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The queues of S3-FIFO (Yang et al., SOSP 2023), which can also admit by frequency, or pin.
 *
 * <p>A new blob enters a small queue of a tenth of the quota. At that queue's end it moves on to
 * the main queue if it was read meanwhile, else it goes and leaves a ghost; a blob with a ghost
 * enters the main queue directly. At the main queue's end a blob that was read since goes round
 * once more.
 *
 * <p>Admission by frequency (W-TinyLFU) differs at the small queue's end: the blob moves on only if
 * it was seen more often than the main queue's victim, and one of the two goes. Where blobs are
 * pinned, none moves on and none goes: what does not fit is refused, and leaves a ghost.
 */
final class FifoQueues {
  /** Rule by which blobs pass from the small queue to the main one, or come in at all. */
  enum Admission {
    /** Read at least twice in the small queue, or missed shortly after it went. */
    REUSE,
    /** Seen more often than the main queue's victim. */
    FREQUENCY,
    /** Refused while the quota is full, so that nothing goes. */
    PINNED;

    Admission other() {
      return this == REUSE ? FREQUENCY : REUSE;
    }
  }

  private static final int SMALL_SHARE = 10;
  private static final int READS_TO_STAY = 2;
  private static final int MOST_READS = 3;
  private static final int READS = 0x3;
  private static final int MAIN = 0x4;

  private final KeyTable table = new KeyTable();
  private final EntryLinks links = new EntryLinks();
  private final EntryLinks.Queue small = new EntryLinks.Queue();
  private final EntryLinks.Queue main = new EntryLinks.Queue();
  private final FrequencySketch sketch = new FrequencySketch();
  private final Ghosts ghosts;
  private byte[] states = new byte[0]; // two bits of reads, one for the main queue
  private Admission admission;
  private long quotaBytes;
  private long evictions;

  FifoQueues(long quotaBytes, Admission admission) {
    this.quotaBytes = quotaBytes;
    this.admission = admission;
    this.ghosts = new Ghosts(quotaBytes);
  }

  KeyTable table() {
    return table;
  }

  Ghosts ghosts() {
    return ghosts;
  }

  Admission admission() {
    return admission;
  }

  void admission(Admission next) {
    admission = next;
  }

  long quotaBytes() {
    return quotaBytes;
  }

  long evictions() {
    return evictions;
  }

  /** Notes a read of a blob that is here; returns false if it is not. */
  boolean touch(long key) {
    int entry = table.find(key);
    if (entry < 0) {
      return false;
    }
    sketch.see(key);
    if ((states[entry] & READS) < MOST_READS) {
      states[entry]++;
    }
    return true;
  }

  /** Takes in a blob that is not here; returns false if it is refused. */
  boolean add(long key, long bytes, LongConsumer victims) {
    boolean returns = ghosts.missed(key);
    sketch.see(key);
    if (bytes > Keeper.MAX_BLOB_BYTES || bytes > quotaBytes) {
      return false;
    }
    if (admission == Admission.PINNED && bytes > quotaBytes - table.usedBytes()) {
      ghosts.evicted(key, bytes, table.size());
      return false;
    }
    shrinkTo(quotaBytes - bytes, victims);
    int entry = table.add(key, (int) bytes);
    links.fit(table.capacity());
    if (states.length != table.capacity()) {
      states = Arrays.copyOf(states, table.capacity());
    }
    sketch.fit(table.size());
    boolean toMain = returns && admission == Admission.REUSE;
    states[entry] = (byte) (toMain ? MAIN : 0);
    links.append(toMain ? main : small, entry, (int) bytes);
    return true;
  }

  boolean forget(long key) {
    int entry = table.find(key);
    if (entry >= 0) {
      remove(entry);
    }
    return entry >= 0;
  }

  void resize(long bytes, LongConsumer victims) {
    quotaBytes = bytes;
    ghosts.resize(bytes);
    shrinkTo(bytes, victims);
    if (table.trim()) {
      links.fit(table.capacity());
      states = Arrays.copyOf(states, table.capacity());
      sketch.fit(table.size());
    }
  }

  private void shrinkTo(long bytes, LongConsumer victims) {
    while (table.usedBytes() > bytes) {
      boolean fromSmall =
          !small.isEmpty() && (main.isEmpty() || small.bytes() * SMALL_SHARE >= quotaBytes);
      if (!fromSmall) {
        evict(mainVictim(), victims);
      } else if (admission == Admission.REUSE) {
        passByReuse(small.oldest(), victims);
      } else {
        passByFrequency(small.oldest(), victims);
      }
    }
  }

  private void passByReuse(int candidate, LongConsumer victims) {
    if ((states[candidate] & READS) >= READS_TO_STAY) {
      promote(candidate);
    } else {
      evict(candidate, victims);
    }
  }

  private void passByFrequency(int candidate, LongConsumer victims) {
    long mainQuota = quotaBytes - quotaBytes / SMALL_SHARE;
    if (main.isEmpty() || main.bytes() + table.bytes(candidate) <= mainQuota) {
      promote(candidate);
      return;
    }
    int victim = mainVictim();
    if (sketch.frequency(table.key(candidate)) > sketch.frequency(table.key(victim))) {
      promote(candidate);
      evict(victim, victims);
    } else {
      evict(candidate, victims);
    }
  }

  /** Finds the oldest blob of the main queue that was not read since it was last checked. */
  private int mainVictim() {
    while ((states[main.oldest()] & READS) > 0) {
      int entry = main.oldest();
      states[entry]--;
      links.remove(main, entry, table.bytes(entry));
      links.append(main, entry, table.bytes(entry));
    }
    return main.oldest();
  }

  private void promote(int entry) {
    links.remove(small, entry, table.bytes(entry));
    states[entry] = MAIN;
    links.append(main, entry, table.bytes(entry));
  }

  private void evict(int entry, LongConsumer victims) {
    long key = table.key(entry);
    ghosts.evicted(key, table.bytes(entry), table.size());
    remove(entry);
    evictions++;
    victims.accept(key);
  }

  private void remove(int entry) {
    links.remove(queueOf(entry), entry, table.bytes(entry));
    table.remove(entry);
    int moved = table.size();
    if (entry < moved) {
      links.renumber(queueOf(moved), moved, entry);
      states[entry] = states[moved];
    }
  }

  private EntryLinks.Queue queueOf(int entry) {
    return (states[entry] & MAIN) != 0 ? main : small;
  }

  long memoryBytes() {
    return table.memoryBytes()
        + links.memoryBytes()
        + states.length
        + sketch.memoryBytes()
        + ghosts.memoryBytes();
  }
}
