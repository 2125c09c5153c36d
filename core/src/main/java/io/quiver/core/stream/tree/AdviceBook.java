package io.quiver.core.stream.tree;

import io.quiver.core.stream.PrefetchAdvice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the books of what was read ahead: what waits to be advised, what was advised and is not
 * read yet, and what was at hand anyway and needs no advice for a while.
 */
final class AdviceBook {
  private static final int MOST_WAITING = 512;
  private static final int MOST_OPEN = 4096;
  private static final int PLACES = 2 * MOST_OPEN;
  private static final int HELD_PLACES = 4096;
  private static final int HELD_MILLIS = 10_000;
  private static final int FAILED_MILLIS = 60_000;
  private static final int WAITING_BYTES = 250;

  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final long[] keys = new long[PLACES];
  private final @Nullable StreamNode[] streams = new @Nullable StreamNode[PLACES];
  private final boolean[] advised = new boolean[PLACES];
  private final long[] order = new long[MOST_OPEN];
  private final long[] heldKeys = new long[HELD_PLACES];
  private final int[] heldUntil = new int[HELD_PLACES];
  private int orderAt;
  private int open;

  private record Waiting(PrefetchAdvice advice, long key) {}

  /** Returns the key of a block. */
  static long key(String path, int block) {
    return ((long) path.hashCode() << 24) ^ ((long) path.length() << 57) ^ (block + 1L);
  }

  /**
   * Adds an advice to read ahead for a stream; returns false if there is one already or none is
   * needed.
   */
  boolean add(PrefetchAdvice advice, StreamNode stream, int nowMillis) {
    long key = key(advice.path(), advice.block());
    if (find(key) >= 0 || isHeld(key, nowMillis)) {
      return false;
    }
    makeRoom();
    int at = place(key);
    while (streams[at] != null) {
      at = (at + 1) & (PLACES - 1);
    }
    keys[at] = key;
    streams[at] = stream;
    advised[at] = false;
    open++;
    order[orderAt] = key;
    orderAt = (orderAt + 1) % MOST_OPEN;
    waiting.add(new Waiting(advice, key));
    if (waiting.size() > MOST_WAITING) {
      forgetWaiting(waiting.remove().key);
    }
    return true;
  }

  /** Gives up the oldest advice where the next one goes. */
  private void makeRoom() {
    int oldest = find(order[orderAt]);
    if (oldest >= 0) {
      stream(oldest).ahead().depth().lost();
      remove(oldest);
    }
  }

  private void forgetWaiting(long key) {
    int at = find(key);
    if (at >= 0) {
      stream(at).ahead().depth().unneeded();
      remove(at);
    }
  }

  private StreamNode stream(int at) {
    @Nullable StreamNode stream = streams[at];
    if (stream == null) {
      throw new IllegalStateException("no advice at " + at);
    }
    return stream;
  }

  private static int place(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (PLACES - 1);
  }

  private int find(long key) {
    int at = place(key);
    while (streams[at] != null) {
      if (keys[at] == key) {
        return at;
      }
      at = (at + 1) & (PLACES - 1);
    }
    return -1;
  }

  private void remove(int at) {
    streams[at] = null;
    open--;
    int behind = (at + 1) & (PLACES - 1);
    while (streams[behind] != null) {
      int to = place(keys[behind]);
      while (streams[to] != null && to != behind) {
        to = (to + 1) & (PLACES - 1);
      }
      if (to != behind) {
        keys[to] = keys[behind];
        streams[to] = streams[behind];
        advised[to] = advised[behind];
        streams[behind] = null;
      }
      behind = (behind + 1) & (PLACES - 1);
    }
  }

  /** Returns up to so many advices, those that were made first first. */
  List<PrefetchAdvice> take(int most) {
    List<PrefetchAdvice> taken = new ArrayList<>(Math.min(most, waiting.size()));
    while (taken.size() < most && !waiting.isEmpty()) {
      Waiting next = waiting.remove();
      int at = find(next.key);
      if (at >= 0 && !advised[at]) {
        advised[at] = true;
        stream(at).advised(1);
        taken.add(next.advice);
      }
    }
    return taken;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Notes that a program read a block.
   *
   * @param late true if it waited for the store
   */
  void read(long key, boolean late) {
    int at = find(key);
    if (at < 0) {
      return;
    }
    StreamNode stream = stream(at);
    if (advised[at]) {
      stream.ahead().depth().used(late);
      stream.used();
    } else {
      stream.ahead().depth().unneeded();
    }
    remove(at);
  }

  /** Notes the end of an advice; returns the stream for which it was made, if it is open still. */
  @Nullable StreamNode ended(PrefetchAdvice advice, PrefetchAdvice.Outcome outcome, int nowMillis) {
    long key = key(advice.path(), advice.block());
    int at = find(key);
    if (outcome == PrefetchAdvice.Outcome.HELD) {
      hold(key, nowMillis + HELD_MILLIS);
    } else if (outcome == PrefetchAdvice.Outcome.FAILED) {
      hold(key, nowMillis + FAILED_MILLIS);
    }
    if (at < 0 || outcome == PrefetchAdvice.Outcome.FETCHED) {
      return at < 0 ? null : stream(at);
    }
    StreamNode stream = stream(at);
    switch (outcome) {
      case HELD -> {
        stream.ahead().depth().unneeded();
        stream.advised(-1);
      }
      case DROPPED -> {
        stream.ahead().depth().refused();
        stream.advised(-1);
      }
      case FAILED, FETCHED -> stream.ahead().depth().lost();
    }
    remove(at);
    return stream;
  }

  private void hold(long key, int untilMillis) {
    int at = place(key) & (HELD_PLACES - 1);
    heldKeys[at] = key;
    heldUntil[at] = untilMillis;
  }

  private boolean isHeld(long key, int nowMillis) {
    int at = place(key) & (HELD_PLACES - 1);
    return heldKeys[at] == key && nowMillis - heldUntil[at] < 0;
  }

  /** Returns how many advices wait or were given and are not read yet. */
  int open() {
    return open;
  }

  long heldBytes() {
    return (long) PLACES * (Long.BYTES + Integer.BYTES + 1)
        + (long) MOST_OPEN * Long.BYTES
        + (long) HELD_PLACES * (Long.BYTES + Integer.BYTES)
        + (long) WAITING_BYTES * waiting.size();
  }
}
