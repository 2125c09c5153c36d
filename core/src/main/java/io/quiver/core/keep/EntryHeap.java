package io.quiver.core.keep;

import java.util.Arrays;

/**
 * Numbered entries, the one of the lowest rank first.
 *
 * <p>A heap whose nodes have four children. Ranks lie beside each other in the order of the heap,
 * so that a step down reads one or two lines of memory: a heap of a million entries fits no cache.
 */
final class EntryHeap {
  private static final int CHILDREN = 4;

  private long[] ranks = new long[0]; // by place in the heap
  private int[] entries = new int[0]; // by place in the heap
  private int[] places = new int[0]; // by entry
  private int size;

  int size() {
    return size;
  }

  /** Makes way for so many entries. */
  void fit(int capacity) {
    if (ranks.length != capacity) {
      ranks = Arrays.copyOf(ranks, capacity);
      entries = Arrays.copyOf(entries, capacity);
      places = Arrays.copyOf(places, capacity);
    }
  }

  /** Returns the entry at a place; places 4p + 1 to 4p + 4 have none of lower rank than place p. */
  int at(int place) {
    return entries[place];
  }

  long rankAt(int place) {
    return ranks[place];
  }

  long rank(int entry) {
    return ranks[places[entry]];
  }

  void add(int entry, long rank) {
    siftUp(size++, entry, rank);
  }

  void change(int entry, long rank) {
    move(places[entry], entry, rank);
  }

  /** Removes an entry; the entry with the last number takes its number, if there is another. */
  void remove(int entry) {
    int place = places[entry];
    int last = --size;
    if (place != last) {
      move(place, entries[last], ranks[last]);
    }
    if (entry != last) {
      places[entry] = places[last];
      entries[places[entry]] = entry;
    }
  }

  /** Changes the ranks of all entries. */
  void changeAll(RankChange change) {
    for (int place = 0; place < size; place++) {
      ranks[place] = change.rank(entries[place], ranks[place]);
    }
    for (int place = (size + 2) / CHILDREN - 1; place >= 0; place--) {
      siftDown(place, entries[place], ranks[place]);
    }
  }

  /** Returns the new rank of an entry. */
  @FunctionalInterface
  interface RankChange {
    long rank(int entry, long rank);
  }

  private void move(int place, int entry, long rank) {
    if (place > 0 && rank < ranks[(place - 1) / CHILDREN]) {
      siftUp(place, entry, rank);
    } else {
      siftDown(place, entry, rank);
    }
  }

  private void siftUp(int from, int entry, long rank) {
    int place = from;
    while (place > 0 && rank < ranks[(place - 1) / CHILDREN]) {
      int parent = (place - 1) / CHILDREN;
      set(place, entries[parent], ranks[parent]);
      place = parent;
    }
    set(place, entry, rank);
  }

  private void siftDown(int from, int entry, long rank) {
    int place = from;
    int child = lowestChild(place);
    while (child < size && ranks[child] < rank) {
      set(place, entries[child], ranks[child]);
      place = child;
      child = lowestChild(place);
    }
    set(place, entry, rank);
  }

  /** Returns the child of the lowest rank, or a place behind the end. */
  private int lowestChild(int place) {
    int lowest = CHILDREN * place + 1;
    int end = Math.min(lowest + CHILDREN, size);
    for (int child = lowest + 1; child < end; child++) {
      lowest = ranks[child] < ranks[lowest] ? child : lowest;
    }
    return lowest;
  }

  private void set(int place, int entry, long rank) {
    ranks[place] = rank;
    entries[place] = entry;
    places[entry] = place;
  }

  long memoryBytes() {
    return (long) Long.BYTES * ranks.length
        + (long) Integer.BYTES * (entries.length + places.length);
  }
}
