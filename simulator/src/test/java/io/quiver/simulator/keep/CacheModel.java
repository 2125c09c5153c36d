package io.quiver.simulator.keep;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The caches again for items of length 1, with lists that are searched: obvious and slow. */
sealed interface CacheModel {
  /** Reads an item; returns true if it was kept. */
  boolean read(long key);

  /** The four cases of the paper, with its names. */
  final class Arc implements CacheModel {
    private final List<Long> t1 = new ArrayList<>(); // the least recently read first
    private final List<Long> t2 = new ArrayList<>();
    private final List<Long> b1 = new ArrayList<>();
    private final List<Long> b2 = new ArrayList<>();
    private final int c;
    private double p;

    Arc(int capacity) {
      c = capacity;
    }

    double target() {
      return p;
    }

    @Override
    public boolean read(long x) {
      if (t1.remove(x) || t2.remove(x)) {
        t2.addLast(x);
        return true;
      }
      if (b1.contains(x)) {
        p = Math.min(c, p + Math.max(1, (double) b2.size() / b1.size()));
        replace(x);
        b1.remove(x);
        t2.addLast(x);
      } else if (b2.contains(x)) {
        p = Math.max(0, p - Math.max(1, (double) b1.size() / b2.size()));
        replace(x);
        b2.remove(x);
        t2.addLast(x);
      } else {
        miss(x);
        t1.addLast(x);
      }
      return false;
    }

    private void miss(long x) {
      int all = t1.size() + t2.size() + b1.size() + b2.size();
      if (t1.size() + b1.size() == c) {
        if (t1.size() < c) {
          b1.removeFirst();
          replace(x);
        } else {
          t1.removeFirst();
        }
      } else if (all >= c) {
        if (all == 2 * c) {
          b2.removeFirst();
        }
        replace(x);
      }
    }

    private void replace(long x) {
      boolean first = t1.size() > p || (b2.contains(x) && t1.size() == p);
      if (!t1.isEmpty() && first) {
        b1.addLast(t1.removeFirst());
      } else {
        b2.addLast(t2.removeFirst());
      }
    }
  }

  /** A queue and the place of the hand in it. */
  final class Sieve implements CacheModel {
    private final List<Long> queue = new ArrayList<>(); // the oldest first
    private final List<Long> visited = new ArrayList<>();
    private final int capacity;
    private int hand;

    Sieve(int capacity) {
      this.capacity = capacity;
    }

    @Override
    public boolean read(long key) {
      if (queue.contains(key)) {
        if (!visited.contains(key)) {
          visited.add(key);
        }
        return true;
      }
      if (queue.size() == capacity) {
        while (visited.remove(queue.get(hand))) {
          hand = (hand + 1) % queue.size();
        }
        queue.remove(hand);
        hand %= queue.size();
      }
      queue.add(key);
      return false;
    }
  }

  /** Counts and times of reads. */
  final class Lfu implements CacheModel {
    private final Map<Long, Integer> counts = new HashMap<>();
    private final Map<Long, Integer> times = new HashMap<>();
    private final int capacity;
    private int time;

    Lfu(int capacity) {
      this.capacity = capacity;
    }

    @Override
    public boolean read(long key) {
      boolean hit = counts.containsKey(key);
      if (!hit && counts.size() == capacity) {
        long victim = counts.keySet().stream().min(this::compare).orElseThrow();
        counts.remove(victim);
      }
      counts.merge(key, 1, Integer::sum);
      times.put(key, ++time);
      return hit;
    }

    private int compare(long one, long other) {
      int byCount = Integer.compare(counts.getOrDefault(one, 0), counts.getOrDefault(other, 0));
      return byCount != 0
          ? byCount
          : Integer.compare(times.getOrDefault(one, 0), times.getOrDefault(other, 0));
    }
  }

  /** Searches the future anew at each miss. */
  final class Min implements CacheModel {
    private final List<Long> kept = new ArrayList<>();
    private final int[] reads;
    private final int capacity;
    private int done;

    Min(int capacity, int[] reads) {
      this.capacity = capacity;
      this.reads = reads;
    }

    @Override
    public boolean read(long key) {
      done++;
      boolean hit = kept.contains(key);
      if (!hit) {
        kept.add(key);
        if (kept.size() > capacity) {
          kept.remove(kept.stream().max((a, b) -> Integer.compare(next(a), next(b))).orElseThrow());
        }
      }
      return hit;
    }

    private int next(long key) {
      for (int i = done; i < reads.length; i++) {
        if (reads[i] == key) {
          return i;
        }
      }
      return Integer.MAX_VALUE;
    }
  }
}
