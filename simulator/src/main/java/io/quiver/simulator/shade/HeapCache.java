package io.quiver.simulator.shade;

import java.util.Arrays;

/**
 * Keeps a number of samples and evicts the lowest priority for every newcomer: by last use, number
 * of uses, chance or score, whatever the priority says.
 */
final class HeapCache {
  private static final int ABSENT = -1;

  private final int[] heap; // samples, the lowest priority first
  private final int[] places; // where each sample is in the heap
  private final long[] priorities;
  private int size;

  HeapCache(int items, int capacity) {
    heap = new int[capacity];
    places = new int[items];
    priorities = new long[items];
    Arrays.fill(places, ABSENT);
  }

  boolean holds(int item) {
    return places[item] != ABSENT;
  }

  /** Takes a sample that is absent; the lowest goes if there is no place left. */
  void add(int item, long priority) {
    if (heap.length == 0) {
      return;
    }
    int place = size;
    if (size == heap.length) {
      places[heap[0]] = ABSENT;
      place = 0;
    } else {
      size++;
    }
    put(item, place);
    rank(item, priority);
  }

  /** Changes the priority of a sample that is present. */
  void rank(int item, long priority) {
    priorities[item] = priority;
    siftUp(places[item]);
    siftDown(places[item]);
  }

  private void put(int item, int place) {
    heap[place] = item;
    places[item] = place;
  }

  private void siftUp(int from) {
    int place = from;
    while (place > 0 && isLower(heap[place], heap[(place - 1) / 2])) {
      swap(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  }

  private void siftDown(int from) {
    int place = from;
    int child = lowerChild(place);
    while (child < size && isLower(heap[child], heap[place])) {
      swap(place, child);
      place = child;
      child = lowerChild(place);
    }
  }

  private int lowerChild(int place) {
    int left = 2 * place + 1;
    return left + 1 < size && isLower(heap[left + 1], heap[left]) ? left + 1 : left;
  }

  private boolean isLower(int one, int other) {
    return priorities[one] < priorities[other];
  }

  private void swap(int one, int other) {
    int item = heap[one];
    put(heap[other], one);
    put(item, other);
  }
}
