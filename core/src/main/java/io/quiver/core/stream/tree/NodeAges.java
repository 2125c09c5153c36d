package io.quiver.core.stream.tree;

import org.jspecify.annotations.Nullable;

/** All nodes of a tree, the one that was read last first. */
final class NodeAges {
  private @Nullable StreamNode newest;
  private @Nullable StreamNode oldest;

  /** Returns the node that was read longest ago. */
  @Nullable StreamNode oldest() {
    return oldest;
  }

  /** Adds a node as the one that was read last. */
  void add(StreamNode node) {
    @Nullable StreamNode head = newest;
    node.links.newer = null;
    node.links.older = head;
    if (head != null) {
      head.links.newer = node;
    } else {
      oldest = node;
    }
    newest = node;
  }

  void remove(StreamNode node) {
    @Nullable StreamNode newer = node.links.newer;
    @Nullable StreamNode older = node.links.older;
    if (newer != null) {
      newer.links.older = older;
    } else {
      newest = older;
    }
    if (older != null) {
      older.links.newer = newer;
    } else {
      oldest = newer;
    }
  }

  /** Makes a node the one that was read last. */
  void renew(StreamNode node) {
    if (newest != node) {
      remove(node);
      add(node);
    }
  }

  /** Makes all nodes of a way the latest; those above are always later than those below. */
  void renew(Way way) {
    for (int level = way.size() - 1; level >= 0; level--) {
      StreamNode node = way.node(level);
      node.links.toFront();
      renew(node);
    }
  }
}
