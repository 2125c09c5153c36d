package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the streams that may own a quota: the shallowest ones below the root that were
 * recognised. A stream leaves it to its children if these are read in different ways.
 */
final class QuotaOwners {
  /** Fewer reads tell other doors nothing either. */
  private static final int LEAST_PART = 10;

  /** A child with a smaller part of the reads has no say. */
  private static final long LEAST_SHARE = 16;

  /** So few children are data sets of their own if each is read in another way than the whole. */
  private static final int FEW = 16;

  /** Most reads of a stream in hundredths that such children have between them. */
  private static final long NEARLY_ALL = 90;

  /** The root is one data set if it has many children, else it is a bucket of several. */
  private static final int MANY = 25;

  private static final long WHOLE = 100;

  private final StreamRules rules;
  private final StreamNode root;
  private final List<StreamNode> owners = new ArrayList<>();

  private QuotaOwners(StreamRules rules, StreamNode root) {
    this.rules = rules;
    this.root = root;
  }

  /** Returns the streams that may own a quota. */
  static List<StreamNode> of(StreamRules rules, StreamNode root) {
    QuotaOwners chosen = new QuotaOwners(rules, root);
    chosen.choose(root);
    return chosen.owners;
  }

  /** Chooses in a subtree; returns true if there is an owner in it that was recognised. */
  private boolean choose(StreamNode node) {
    boolean known = isKnown(node);
    if (known && (node != root || isDataSet(node)) && !delegates(node)) {
      owners.add(node);
      return true;
    }
    boolean below = false;
    int before = owners.size();
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null;
        child = child.links.next()) {
      below |= mayHoldOwners(child) && choose(child);
    }
    boolean candidate = node.reads.count() >= rules.window() / LEAST_PART && node != root;
    if (!below && candidate) {
      owners.subList(before, owners.size()).clear();
      owners.add(node);
    }
    return below;
  }

  private boolean mayHoldOwners(StreamNode node) {
    return node.reads.count() >= rules.window() / LEAST_PART || node.verdict() != null;
  }

  private static boolean isKnown(StreamNode node) {
    return node.recognition().pattern() != AccessPattern.UNKNOWN;
  }

  /** Returns true if programs read the root's own files, or many directories of it alike. */
  private static boolean isDataSet(StreamNode node) {
    long below = 0;
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null;
        child = child.links.next()) {
      below += child.isFile ? 0 : child.reads.count();
    }
    return node.order().children() >= MANY || 2 * below < node.reads.count();
  }

  private boolean delegates(StreamNode node) {
    AccessPattern common = AccessPattern.UNKNOWN;
    long reads = 0;
    int count = 0;
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null;
        child = child.links.next()) {
      AccessPattern pattern = child.recognition().pattern();
      if (pattern == AccessPattern.UNKNOWN
          || child.reads.count() * LEAST_SHARE < node.reads.count()) {
        continue;
      }
      if (common != AccessPattern.UNKNOWN && pattern != common) {
        return true;
      }
      common = pattern;
      reads += child.reads.count();
      count++;
    }
    return count > 0
        && count <= FEW
        && common != node.recognition().pattern()
        && reads * WHOLE >= node.reads.count() * NEARLY_ALL;
  }
}
