package io.quiver.core.stream.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The streams that a path belongs to, from the root down, and the child of each on that path. */
final class Way {
  private static final int USUAL = 16;

  private final List<StreamNode> nodes = new ArrayList<>(USUAL);
  private int[] from = new int[USUAL];
  private int[] to = new int[USUAL];
  private int[] hashes = new int[USUAL];
  private int[] slots = new int[USUAL];
  private String path = "";

  void begin(String of) {
    nodes.clear();
    path = of;
  }

  /** Adds a stream below the last one. */
  void add(StreamNode node) {
    nodes.add(node);
    if (nodes.size() > from.length) {
      from = Arrays.copyOf(from, 2 * from.length);
      to = Arrays.copyOf(to, 2 * to.length);
      hashes = Arrays.copyOf(hashes, 2 * hashes.length);
      slots = Arrays.copyOf(slots, 2 * slots.length);
    }
  }

  /** Says which part of the path is the child of the last stream; returns the hash of its name. */
  int child(int start, int end) {
    int last = nodes.size() - 1;
    from[last] = start;
    to[last] = end;
    hashes[last] = PathNames.hash(path, start, end);
    return hashes[last];
  }

  /** Returns the hash of the name of the child of a stream. */
  int hash(int level) {
    return hashes[level];
  }

  /** Says which slot the child of a stream has. */
  void slot(int level, int slot) {
    slots[level] = slot;
  }

  /** Returns the slot of the child of a stream. */
  int slot(int level) {
    return slots[level];
  }

  int size() {
    return nodes.size();
  }

  StreamNode node(int level) {
    return nodes.get(level);
  }

  StreamNode last() {
    return nodes.getLast();
  }

  boolean has(StreamNode node) {
    return nodes.contains(node);
  }

  String path() {
    return path;
  }

  int from(int level) {
    return from[level];
  }

  int to(int level) {
    return to[level];
  }
}
