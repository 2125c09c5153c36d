package io.quiver.simulator.engine;

import java.util.Arrays;

/**
 * Events by time, and those of one time in the order in which they were added. A 4-ary heap over
 * arrays: an entry costs no object, and a level of the heap lies in one or two cache lines.
 */
final class EventQueue {
  private static final int FIRST_CAPACITY = 1024;
  private static final int ARITY = 4;
  private static final Handler NOBODY = what -> {};

  private long[] times = new long[FIRST_CAPACITY];
  private long[] numbers = new long[FIRST_CAPACITY];
  private long[] whats = new long[FIRST_CAPACITY];
  private Handler[] handlers = new Handler[FIRST_CAPACITY];
  private int size;
  private long nextNumber;

  int size() {
    return size;
  }

  /** Returns the time of the first event; there must be one. */
  long firstTime() {
    return times[0];
  }

  /** Returns the number of the first event in the order of adding; there must be one. */
  long firstNumber() {
    return numbers[0];
  }

  long firstWhat() {
    return whats[0];
  }

  Handler firstHandler() {
    return handlers[0];
  }

  void add(long time, Handler handler, long what) {
    if (size == times.length) {
      grow();
    }
    long number = nextNumber++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / ARITY;
      if (times[parent] <= time) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(at, time, number, handler, what);
  }

  void removeFirst() {
    int last = --size;
    long time = times[last];
    long number = numbers[last];
    Handler handler = handlers[last];
    long what = whats[last];
    handlers[last] = NOBODY;
    if (last == 0) {
      return;
    }
    int at = 0;
    int child = smallestChild(at);
    while (child >= 0 && before(times[child], numbers[child], time, number)) {
      move(child, at);
      at = child;
      child = smallestChild(at);
    }
    put(at, time, number, handler, what);
  }

  /** The child that happens first, or −1. */
  private int smallestChild(int at) {
    int first = at * ARITY + 1;
    if (first >= size) {
      return -1;
    }
    int end = Math.min(size, first + ARITY);
    int smallest = first;
    for (int child = first + 1; child < end; child++) {
      if (before(times[child], numbers[child], times[smallest], numbers[smallest])) {
        smallest = child;
      }
    }
    return smallest;
  }

  private static boolean before(long time, long number, long otherTime, long otherNumber) {
    return time < otherTime || (time == otherTime && number < otherNumber);
  }

  private void move(int from, int to) {
    put(to, times[from], numbers[from], handlers[from], whats[from]);
  }

  private void put(int at, long time, long number, Handler handler, long what) {
    times[at] = time;
    numbers[at] = number;
    handlers[at] = handler;
    whats[at] = what;
  }

  private void grow() {
    int capacity = Math.multiplyExact(2, times.length);
    times = Arrays.copyOf(times, capacity);
    numbers = Arrays.copyOf(numbers, capacity);
    whats = Arrays.copyOf(whats, capacity);
    handlers = Arrays.copyOf(handlers, capacity);
  }
}
