package io.quiver.simulator.shade;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads a cached sample in the place of one that is not, and that one later, as long as samples of
 * the epoch are both cached and unread (Quiver, as SHADE's authors emulate it in §6.6). An epoch
 * has the same samples in another order. What is read from the store takes the place of what came
 * first.
 */
final class SubstitutingReplay implements Replay {
  private final SampleTrace trace;
  private final int capacity;
  private final Deque<Integer> kept = new ArrayDeque<>();
  private final boolean[] cached;
  private final int[] unread;
  private final Deque<Integer> ready = new ArrayDeque<>();
  private int next;

  SubstitutingReplay(SampleTrace trace, int capacity) {
    this.trace = trace;
    this.capacity = capacity;
    this.cached = new boolean[trace.size().items()];
    this.unread = new int[trace.size().items()];
  }

  @Override
  public boolean read(int item, int epoch, int place) {
    if (place == 0) {
      begin(trace.entries(epoch));
    }
    while (!ready.isEmpty()) {
      int candidate = ready.removeFirst();
      if (cached[candidate] && unread[candidate] > 0) {
        unread[candidate]--;
        return true;
      }
    }
    int[] entries = trace.entries(epoch);
    while (unread[entries[next]] == 0) {
      next++;
    }
    fetch(entries[next]);
    return false;
  }

  private void begin(int[] entries) {
    next = 0;
    for (int entry : entries) {
      unread[entry]++;
      if (cached[entry]) {
        ready.addLast(entry);
      }
    }
  }

  private void fetch(int item) {
    unread[item]--;
    if (capacity == 0) {
      return;
    }
    if (kept.size() == capacity) {
      cached[kept.removeFirst()] = false;
    }
    kept.addLast(item);
    cached[item] = true;
    for (int again = 0; again < unread[item]; again++) {
      ready.addLast(item);
    }
  }
}
