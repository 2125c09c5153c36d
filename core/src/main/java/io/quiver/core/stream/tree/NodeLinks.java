package io.quiver.core.stream.tree;

import org.jspecify.annotations.Nullable;

/** Places a node among its siblings and among all nodes, the one that was read last first. */
final class NodeLinks {
  private final StreamNode owner;
  private @Nullable StreamNode previous;
  private @Nullable StreamNode next;
  private @Nullable StreamNode first;
  private @Nullable StreamNode last;
  private int children;

  // Its neighbours among all nodes; the tree's own.
  @Nullable StreamNode newer;
  @Nullable StreamNode older;

  // What was counted for it last; the tree's own.
  long countedBytes;
  long countedNames;

  NodeLinks(StreamNode owner) {
    this.owner = owner;
  }

  /** Returns the child that was read last. */
  @Nullable StreamNode firstChild() {
    return first;
  }

  /** Returns the child that was not read for the longest time. */
  @Nullable StreamNode lastChild() {
    return last;
  }

  /** Returns the sibling that was read just before. */
  @Nullable StreamNode next() {
    return next;
  }

  @Nullable StreamNode previous() {
    return previous;
  }

  int children() {
    return children;
  }

  /** Adds a child as the one that was read last. */
  void add(StreamNode child) {
    @Nullable StreamNode head = first;
    child.links.previous = null;
    child.links.next = head;
    if (head != null) {
      head.links.previous = child;
    } else {
      last = child;
    }
    first = child;
    children++;
  }

  void remove(StreamNode child) {
    @Nullable StreamNode before = child.links.previous;
    @Nullable StreamNode after = child.links.next;
    if (before != null) {
      before.links.next = after;
    } else {
      first = after;
    }
    if (after != null) {
      after.links.previous = before;
    } else {
      last = before;
    }
    child.links.previous = null;
    child.links.next = null;
    children--;
  }

  /** Makes its owner the sibling that was read last. */
  void toFront() {
    @Nullable StreamNode parent = owner.parent();
    if (parent != null && parent.links.first != owner) {
      parent.links.remove(owner);
      parent.links.add(owner);
    }
  }
}
