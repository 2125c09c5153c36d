package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a tree small (IGTCache, §4). A stream with enough reads keeps its latest children only.
 * Beyond the most nodes or bytes those nodes are forgotten that were read longest ago; beyond the
 * most bytes of names, names below the nodes that were read longest ago.
 */
final class TreeBounds {
  /** Most bytes of all nodes together. */
  private static final long MOST_BYTES = 7_000_000;

  /** Streams that were recognised are forgotten only if so many others in a row were, too. */
  private static final int SPARED = 8;

  /** The size of a node is looked at again after so many reads. */
  private static final int COUNTED_EVERY = 16;

  private final StreamRules rules;
  private final StreamTree tree;
  private final long mostNameBytes;
  private long bytes;
  private long nameBytes;

  TreeBounds(StreamRules rules, StreamTree tree, long mostNameBytes) {
    this.rules = rules;
    this.tree = tree;
    this.mostNameBytes = mostNameBytes;
  }

  /** Notes that a node was read: it may have become larger. */
  void noted(StreamNode node) {
    if (node.reads.count() % COUNTED_EVERY == 1) {
      count(node);
    }
  }

  /** Counts the bytes of a node anew. */
  void count(StreamNode node) {
    long held = node.heldBytes();
    long names = node.order().heldBytes();
    bytes += held - node.links.countedBytes;
    nameBytes += names - node.links.countedNames;
    node.links.countedBytes = held;
    node.links.countedNames = names;
  }

  /** Counts a node no more. */
  void removed(StreamNode node) {
    bytes -= node.links.countedBytes;
    nameBytes -= node.links.countedNames;
  }

  /** Forgets what is beyond the bounds; keeps the nodes of the way that is read now. */
  void trim(Way way) {
    for (int level = 0; level < way.size(); level++) {
      prune(way.node(level));
    }
    int spared = 0;
    for (@Nullable StreamNode last = tree.ages().oldest();
        last != null && isTooLarge();
        last = tree.ages().oldest()) {
      if (nameBytes > mostNameBytes && last.order().forgetHalf()) {
        count(last);
        continue;
      }
      boolean inUse = way.has(last);
      if (inUse && spared > SPARED + way.size()) {
        trimNames(way);
        return;
      }
      if (inUse || (isWorthy(last) && spared < SPARED)) {
        spared++;
        tree.ages().renew(last);
      } else {
        tree.remove(last);
      }
    }
  }

  private static boolean isWorthy(StreamNode node) {
    return node.links.children() > 0 || node.recognition().pattern() != AccessPattern.UNKNOWN;
  }

  private boolean isTooLarge() {
    return tree.nodes() > rules.mostNodes() || bytes > MOST_BYTES || nameBytes > mostNameBytes;
  }

  /** Forgets the names below the streams that are read now, if these alone are too many. */
  private void trimNames(Way way) {
    for (int level = 0; level < way.size() && nameBytes > mostNameBytes; level++) {
      StreamNode node = way.node(level);
      node.order().forget();
      node.forgetReads();
      count(node);
    }
  }

  /** Keeps the latest children of a stream that has reads enough to be analysed. */
  private void prune(StreamNode node) {
    if (node.reads.count() < rules.window()) {
      return;
    }
    @Nullable StreamNode child = node.links.lastChild();
    for (int tries = 0;
        child != null && tries < SPARED && node.links.children() > rules.window();
        tries++) {
      @Nullable StreamNode before = child.links.previous();
      if (child.recognition().pattern() == AccessPattern.UNKNOWN && child.verdict() == null) {
        tree.remove(child);
      }
      child = before;
    }
  }

  /** Returns the bytes of all nodes. */
  long bytes() {
    return bytes;
  }

  /** Returns the bytes of names that were seen in directories without a listing. */
  long nameBytes() {
    return nameBytes;
  }
}
