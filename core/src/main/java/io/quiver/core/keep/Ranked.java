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
 */
public final class Ranked implements Keeper {
  /** Priority of a blob that nobody has ranked. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private static final int MOST_READS = Byte.MAX_VALUE;

  private final KeyTable table = new KeyTable();
  private long[] priorities = new long[0];
  private byte[] reads = new byte[0];
  private int[] heap = new int[0]; // entry numbers, the lowest first
  private int[] places = new int[0]; // where each entry is in the heap
  private int heapSize;
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
    int known = table.find(key);
    if (known >= 0) {
      read(known);
      rank(key, priority);
      return true;
    }
    int doomed = bytes > MAX_BLOB_BYTES || bytes > quotaBytes ? -1 : outranked(bytes, priority);
    if (doomed < 0) {
      refusals++;
      return false;
    }
    for (int i = 0; i < doomed; i++) {
      evictLowest(victims);
    }
    add(key, (int) bytes, priority);
    admissions++;
    return true;
  }

  /**
   * Returns how many blobs must go for one of this length, or -1 if any of them outranks it. The
   * heap is as before afterwards.
   */
  private int outranked(long bytes, long priority) {
    long used = table.usedBytes();
    int taken = 0;
    boolean fits = used + bytes <= quotaBytes;
    while (!fits && priorities[heap[0]] <= priority) {
      used -= table.bytes(heap[0]);
      takeLowest();
      taken++;
      fits = used + bytes <= quotaBytes;
    }
    // What was taken lies behind the heap, the last taken first.
    for (int i = 0; i < taken; i++) {
      siftUp(heapSize++);
    }
    return fits ? taken : -1;
  }

  /** Moves the lowest entry behind the end of the heap. */
  private void takeLowest() {
    int last = --heapSize;
    swap(0, last);
    siftDown(0);
  }

  private void add(long key, int bytes, long priority) {
    int entry = table.add(key, bytes);
    fit();
    priorities[entry] = priority;
    reads[entry] = 0;
    heap[heapSize] = entry;
    places[entry] = heapSize;
    siftUp(heapSize++);
  }

  private void fit() {
    if (heap.length != table.capacity()) {
      int capacity = table.capacity();
      priorities = Arrays.copyOf(priorities, capacity);
      reads = Arrays.copyOf(reads, capacity);
      heap = Arrays.copyOf(heap, capacity);
      places = Arrays.copyOf(places, capacity);
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
    if (reads[entry] < MOST_READS) {
      reads[entry]++;
      siftDown(places[entry]);
    }
  }

  @Override
  public void rank(long key, long priority) {
    int entry = table.find(key);
    if (entry >= 0) {
      priorities[entry] = priority;
      siftUp(places[entry]);
      siftDown(places[entry]);
    }
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
    while (table.usedBytes() > quotaBytes) {
      evictLowest(victims);
    }
    if (table.trim()) {
      fit();
    }
  }

  private void evictLowest(LongConsumer victims) {
    long key = table.key(heap[0]);
    remove(heap[0]);
    evictions++;
    victims.accept(key);
  }

  private void remove(int entry) {
    int place = places[entry];
    int last = --heapSize;
    if (place != last) {
      swap(place, last);
      siftUp(place);
      siftDown(place);
    }
    table.remove(entry);
    int moved = table.size();
    if (entry != moved) {
      priorities[entry] = priorities[moved];
      reads[entry] = reads[moved];
      places[entry] = places[moved];
      heap[places[entry]] = entry;
    }
  }

  private boolean isLower(int left, int right) {
    if (priorities[left] != priorities[right]) {
      return priorities[left] < priorities[right];
    }
    // The key last: the order must be total, so that looking ahead finds the victims of the deed.
    return reads[left] != reads[right]
        ? reads[left] < reads[right]
        : table.key(left) < table.key(right);
  }

  private void siftUp(int from) {
    int place = from;
    while (place > 0 && isLower(heap[place], heap[(place - 1) >>> 1])) {
      swap(place, (place - 1) >>> 1);
      place = (place - 1) >>> 1;
    }
  }

  private void siftDown(int from) {
    int place = from;
    while (2 * place + 1 < heapSize) {
      int child = 2 * place + 1;
      if (child + 1 < heapSize && isLower(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isLower(heap[child], heap[place])) {
        return;
      }
      swap(place, child);
      place = child;
    }
  }

  private void swap(int left, int right) {
    int entry = heap[left];
    heap[left] = heap[right];
    heap[right] = entry;
    places[heap[left]] = left;
    places[heap[right]] = right;
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
        heapSize == 0 ? UNKNOWN : priorities[heap[0]]);
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes()
        + (long) Long.BYTES * priorities.length
        + reads.length
        + (long) Integer.BYTES * (heap.length + places.length);
  }
}
