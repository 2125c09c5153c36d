package io.quiver.core.stream.tree;

import org.jspecify.annotations.Nullable;

/** Finds the child of a node by a part of a path, without making a string of it. */
final class StreamNodes {
  private static final int FIRST = 256;

  private @Nullable StreamNode[] places = new @Nullable StreamNode[FIRST];
  private int size;

  /** Returns the child whose label begins with a name; null if there is none. */
  @Nullable StreamNode find(StreamNode parent, boolean file, String path, int from, int to) {
    return find(parent, file, path, from, to, PathNames.hash(path, from, to));
  }

  /** Returns such a child by a name of which the hash is known. */
  @Nullable StreamNode find(
      StreamNode parent, boolean file, String path, int from, int to, int nameHash) {
    int mask = places.length - 1;
    int at = hash(parent, file, nameHash) & mask;
    for (StreamNode node = places[at]; node != null; node = places[at]) {
      if (node.parent() == parent
          && node.isFile == file
          && node.firstLength() == to - from
          && node.label().regionMatches(0, path, from, to - from)) {
        return node;
      }
      at = (at + 1) & mask;
    }
    return null;
  }

  private static int hash(StreamNode parent, boolean file, int nameHash) {
    int hash = (31 * (2 * parent.number() + (file ? 1 : 0)) + nameHash) * 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }

  private static int hash(StreamNode node, StreamNode parent) {
    int nameHash = PathNames.hash(node.label(), 0, node.firstLength());
    return hash(parent, node.isFile, nameHash);
  }

  void add(StreamNode node) {
    if (2 * (size + 1) > places.length) {
      grow();
    }
    size++;
    put(places, node);
  }

  private static void put(@Nullable StreamNode[] places, StreamNode node) {
    @Nullable StreamNode parent = node.parent();
    if (parent == null) {
      throw new IllegalArgumentException("the root is nobody's child");
    }
    int mask = places.length - 1;
    int at = hash(node, parent) & mask;
    while (places[at] != null) {
      at = (at + 1) & mask;
    }
    places[at] = node;
  }

  private void grow() {
    @Nullable StreamNode[] larger = new @Nullable StreamNode[2 * places.length];
    for (@Nullable StreamNode node : places) {
      if (node != null) {
        put(larger, node);
      }
    }
    places = larger;
  }

  /** Removes a node that has still the parent and label with which it was added. */
  void remove(StreamNode node) {
    @Nullable StreamNode parent = node.parent();
    if (parent == null) {
      throw new IllegalArgumentException("the root is nobody's child");
    }
    int mask = places.length - 1;
    int at = hash(node, parent) & mask;
    while (places[at] != node) {
      if (places[at] == null) {
        throw new IllegalStateException("no such node: " + node.path());
      }
      at = (at + 1) & mask;
    }
    places[at] = null;
    size--;
    // Those behind it may have been put there because its place was taken.
    int behind = (at + 1) & mask;
    for (StreamNode moved = places[behind]; moved != null; moved = places[behind]) {
      places[behind] = null;
      put(places, moved);
      behind = (behind + 1) & mask;
    }
  }

  long heldBytes() {
    return (long) Integer.BYTES * places.length;
  }
}
