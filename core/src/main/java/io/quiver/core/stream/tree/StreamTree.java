package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamRules;
import org.jspecify.annotations.Nullable;

/**
 * The tree of streams by path (IGTCache, §3.1). Directories without branches are one node (layer
 * compression), which is divided where paths part.
 */
final class StreamTree {
  /** Deeper directories count as parts of the names of their files. */
  private static final int MOST_LEVELS = 32;

  private final StreamRules rules;
  private final Listings listings;
  private final StreamNode root;
  private final StreamNodes table = new StreamNodes();
  private final NodeAges ages = new NodeAges();
  private final TreeBounds bounds;
  private final Way way = new Way();
  private int nodes = 1;
  private int numbered;
  private long forgotten;

  /**
   * Begins with the root alone.
   *
   * @param mostNameBytes most memory for names that were seen in directories without a listing
   */
  StreamTree(StreamRules rules, Listings listings, long mostNameBytes) {
    this.rules = rules;
    this.listings = listings;
    this.bounds = new TreeBounds(rules, this, mostNameBytes);
    this.root = new StreamNode(rules, 0, null, "", false);
    ages.add(root);
    bounds.count(root);
  }

  StreamNode root() {
    return root;
  }

  /** Returns the streams that a path belongs to. They are made if they are not there. */
  Way reach(String path, boolean hasBlocks) {
    way.begin(path);
    way.add(root);
    int fileFrom = directoryEnd(path);
    int at = 0;
    while (at < fileFrom) {
      int end = path.indexOf('/', at);
      int hash = way.child(at, end);
      StreamNode child = directory(way.last(), path, at, end, fileFrom - 1, hash);
      way.add(child);
      at += child.label().length() + 1;
    }
    int hash = way.child(fileFrom, path.length());
    if (hasBlocks) {
      way.add(file(way.last(), path, fileFrom, hash));
    }
    ages.renew(way);
    return way;
  }

  /** Returns where the name of the file begins. */
  private static int directoryEnd(String path) {
    int at = 0;
    for (int level = 0; level < MOST_LEVELS; level++) {
      int slash = path.indexOf('/', at);
      if (slash < 0) {
        break;
      }
      at = slash + 1;
    }
    return at;
  }

  private StreamNode directory(
      StreamNode parent, String path, int from, int to, int end, int nameHash) {
    @Nullable StreamNode child = table.find(parent, false, path, from, to, nameHash);
    if (child == null) {
      return add(parent, path.substring(from, end), false, path.substring(0, end));
    }
    int common = commonNames(child.label(), path, from, end);
    return common == child.label().length() ? child : split(child, common, path, from + common);
  }

  /** Returns the length of the names with which both a label and a part of a path begin. */
  private static int commonNames(String label, String path, int from, int end) {
    int most = Math.min(label.length(), end - from);
    int names = 0;
    int at = 0;
    while (at < most && label.charAt(at) == path.charAt(from + at)) {
      at++;
      boolean labelEnds = at == label.length() || label.charAt(at) == '/';
      boolean pathEnds = from + at == end || path.charAt(from + at) == '/';
      if (labelEnds && pathEnds) {
        names = at;
      }
    }
    return names;
  }

  private StreamNode file(StreamNode parent, String path, int from, int nameHash) {
    @Nullable StreamNode child = table.find(parent, true, path, from, path.length(), nameHash);
    return child != null ? child : add(parent, path.substring(from), true, path);
  }

  private StreamNode add(StreamNode parent, String label, boolean file, String path) {
    StreamNode node = new StreamNode(rules, ++numbered, parent, label, file);
    if (!file) {
      node.follow(listings.of(path));
    }
    insert(parent, node);
    return node;
  }

  private void insert(StreamNode parent, StreamNode node) {
    table.add(node);
    parent.links.add(node);
    ages.add(node);
    nodes++;
    bounds.count(node);
  }

  /** Makes a node of the first names of a child's label, where the ways part. */
  private StreamNode split(StreamNode child, int length, String path, int pathEnd) {
    StreamNode parent = parentOf(child);
    table.remove(child);
    parent.links.remove(child);
    String label = child.label();
    StreamNode upper = new StreamNode(rules, ++numbered, parent, label.substring(0, length), false);
    upper.countAs(child);
    upper.follow(listings.of(path.substring(0, pathEnd)));
    insert(parent, upper);
    child.moveBelow(upper, label.substring(length + 1));
    upper.links.add(child);
    table.add(child);
    child.slot(upper.order().slot(child.label(), 0, child.firstLength()));
    return upper;
  }

  private static StreamNode parentOf(StreamNode node) {
    @Nullable StreamNode parent = node.parent();
    if (parent == null) {
      throw new IllegalArgumentException("the root has no parent");
    }
    return parent;
  }

  /** Forgets a node and all below it. */
  void remove(StreamNode node) {
    for (@Nullable StreamNode child = node.links.lastChild();
        child != null;
        child = node.links.lastChild()) {
      remove(child);
    }
    table.remove(node);
    parentOf(node).links.remove(node);
    ages.remove(node);
    bounds.removed(node);
    nodes--;
    forgotten++;
  }

  /** Finds the node of a directory; null if there is none of exactly this path. */
  @Nullable StreamNode find(String directory) {
    StreamNode node = root;
    int at = directory.isEmpty() ? 1 : 0;
    while (at <= directory.length()) {
      int slash = directory.indexOf('/', at);
      int to = slash < 0 ? directory.length() : slash;
      @Nullable StreamNode child = table.find(node, false, directory, at, to);
      if (child == null
          || !directory.startsWith(child.label(), at)
          || (directory.length() > at + child.label().length()
              && directory.charAt(at + child.label().length()) != '/')) {
        return null;
      }
      at += child.label().length() + 1;
      node = child;
    }
    return node;
  }

  int nodes() {
    return nodes;
  }

  /** Returns how many nodes were forgotten. */
  long forgotten() {
    return forgotten;
  }

  /** Returns the nodes by age. */
  NodeAges ages() {
    return ages;
  }

  /** Returns what bounds this tree. */
  TreeBounds bounds() {
    return bounds;
  }

  long heldBytes() {
    return bounds.bytes() + table.heldBytes();
  }
}
