package io.quiver.core.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Holds what was read from the store until it is inserted, in batches and within bounds. It never
 * makes anybody wait: what does not fit is not inserted, which costs a later read at worst.
 *
 * @param <T> what is inserted
 */
public final class InsertQueue<T> {
  private final int mostItems;
  private final long mostBytes;
  private final long queueBytes;
  private final ToLongFunction<T> length;
  private final ArrayDeque<T> queue = new ArrayDeque<>();
  private long held;

  /**
   * Makes an empty queue.
   *
   * @param mostItems most items of one insert
   * @param mostBytes most bytes of one insert; a longer item goes alone
   * @param queueBytes most bytes that wait or are being inserted
   * @param length returns the bytes of an item
   */
  public InsertQueue(int mostItems, long mostBytes, long queueBytes, ToLongFunction<T> length) {
    this.mostItems = mostItems;
    this.mostBytes = mostBytes;
    this.queueBytes = queueBytes;
    this.length = length;
  }

  /** Queues an item; returns false if it does not fit. */
  public boolean offer(T item) {
    long bytes = length.applyAsLong(item);
    if (held + bytes > queueBytes) {
      return false;
    }
    held += bytes;
    queue.add(item);
    return true;
  }

  /** Returns true if nothing waits. */
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Returns true if an insert is full, so that waiting for more items is of no use. */
  public boolean isFull() {
    return queue.size() >= mostItems || held >= mostBytes;
  }

  /** Takes the items of the next insert; their bytes count until {@link #inserted}. */
  public List<T> take() {
    List<T> batch = new ArrayList<>();
    long bytes = 0;
    while (!queue.isEmpty() && batch.size() < mostItems) {
      long next = length.applyAsLong(queue.peek());
      if (!batch.isEmpty() && bytes + next > mostBytes) {
        break;
      }
      bytes += next;
      batch.add(queue.remove());
    }
    return batch;
  }

  /** Notes that an insert has ended, one way or the other. */
  public void inserted(List<T> batch) {
    for (T item : batch) {
      held -= length.applyAsLong(item);
    }
  }

  /** Takes everything that waits. */
  public List<T> clear() {
    List<T> rest = List.copyOf(queue);
    queue.clear();
    inserted(rest);
    return rest;
  }
}
