package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import org.jspecify.annotations.Nullable;

/**
 * The tree of streams by path (IGTCache, §3.1), within its bounds (§4): directories without
 * branches are one node, a stream with enough reads keeps its latest children only, and beyond the
 * most nodes or bytes those are forgotten that were read longest ago.
 */
final class StreamTree {
  /** Most bytes of all nodes together. */
  static final long MOST_BYTES = 7L << 20;

  /** Deeper directories count as parts of the names of their files. */
  private static final int MOST_LEVELS = 32;

  /** Streams that were recognised are forgotten only if so many others in a row were, too. */
  private static final int SPARED = 8;

  /** The size of a node is looked at again after so many reads. */
  private static final int COUNTED_EVERY = 16;

  private final StreamRules rules;
  private final Listings listings;
  private final StreamNode root;
  private final NodeTable table = new NodeTable();
  private final Way way = new Way();
  private final long mostNameBytes;
  private @Nullable StreamNode newest;
  private @Nullable StreamNode oldest;
  private int nodes = 1;
  private long bytes;
  private long nameBytes;
  private long forgotten;

  StreamTree(StreamRules rules, Listings listings, long mostNameBytes) {
    this.rules = rules;
    this.listings = listings;
    this.mostNameBytes = mostNameBytes;
    this.root = new StreamNode(rules, null, "", false);
    link(root);
    count(root);
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
      way.child(at, end);
      StreamNode child = directory(way.last(), path, at, end, fileFrom - 1);
      way.add(child);
      at += child.label().length() + 1;
    }
    way.child(fileFrom, path.length());
    if (hasBlocks) {
      way.add(file(way.last(), path, fileFrom));
    }
    freshen();
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

  private StreamNode directory(StreamNode parent, String path, int from, int to, int end) {
    @Nullable StreamNode child = table.find(parent, false, path, from, to);
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

  private StreamNode file(StreamNode parent, String path, int from) {
    @Nullable StreamNode child = table.find(parent, true, path, from, path.length());
    return child != null ? child : add(parent, path.substring(from), true, path);
  }

  private StreamNode add(StreamNode parent, String label, boolean file, String path) {
    StreamNode node = new StreamNode(rules, parent, label, file);
    if (!file) {
      node.follow(listings.of(path));
    }
    insert(parent, node);
    return node;
  }

  private void insert(StreamNode parent, StreamNode node) {
    table.add(node);
    parent.links.add(node);
    link(node);
    nodes++;
    count(node);
  }

  /** Makes a node of the first names of a child's label, where the ways part. */
  private StreamNode split(StreamNode child, int length, String path, int pathEnd) {
    StreamNode parent = parentOf(child);
    table.remove(child);
    parent.links.remove(child);
    String label = child.label();
    StreamNode upper = new StreamNode(rules, parent, label.substring(0, length), false);
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

  /** Makes all streams of the way the latest; those above are always later than those below. */
  private void freshen() {
    for (int level = way.size() - 1; level >= 0; level--) {
      StreamNode node = way.node(level);
      node.links.toFront();
      if (newest != node) {
        unlink(node);
        link(node);
      }
    }
  }

  private void link(StreamNode node) {
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

  private void unlink(StreamNode node) {
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

  /** Forgets what is beyond the bounds. */
  void trim() {
    for (int level = 0; level < way.size(); level++) {
      prune(way.node(level));
    }
    int spared = 0;
    for (@Nullable StreamNode last = oldest; last != null && isTooLarge(); last = oldest) {
      if (nameBytes > mostNameBytes && last.order().forgetHalf()) {
        count(last);
        continue;
      }
      boolean inUse = last == root || way.has(last);
      boolean worthy =
          last.links.children() > 0 || last.recognition().pattern() != AccessPattern.UNKNOWN;
      if (inUse && spared > SPARED + way.size()) {
        trimNames();
        return;
      }
      if (inUse || (worthy && spared < SPARED)) {
        spared++;
        unlink(last);
        link(last);
      } else {
        remove(last);
      }
    }
  }

  private boolean isTooLarge() {
    return nodes > rules.mostNodes() || bytes > MOST_BYTES || nameBytes > mostNameBytes;
  }

  /** Forgets the names below the streams that are read now, if these alone are too many. */
  private void trimNames() {
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
        remove(child);
      }
      child = before;
    }
  }

  private void remove(StreamNode node) {
    for (@Nullable StreamNode child = node.links.lastChild();
        child != null;
        child = node.links.lastChild()) {
      remove(child);
    }
    table.remove(node);
    parentOf(node).links.remove(node);
    unlink(node);
    node.links.gone = true;
    nodes--;
    forgotten++;
    bytes -= node.links.countedBytes;
    nameBytes -= node.links.countedNames;
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

  long heldBytes() {
    return bytes + table.heldBytes();
  }

  /** Returns the bytes of names that were seen in directories without a listing. */
  long nameBytes() {
    return nameBytes;
  }
}
