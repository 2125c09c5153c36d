package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.pattern.PatternTests;
import io.quiver.core.stream.tree.StreamDecision.Forward;
import org.jspecify.annotations.Nullable;

/**
 * One stream in the tree: a directory, or a file of several blocks. Directories with one child only
 * are joined with it (layer compression). Its reads, its numbering, what was decided and what is
 * read ahead are parts of it.
 */
final class StreamNode {
  private static final int OBJECT_BYTES = 192;
  private static final int OWNER_BYTES = 120;

  final boolean isFile;
  final StreamReads reads;
  final ItemNumbers numbers;
  final StreamDecision decision = new StreamDecision();
  final NodeLinks links = new NodeLinks(this);

  private final StreamRules rules;
  private final int number;
  private @Nullable StreamNode parent;
  private String label;
  private int firstLength;

  // The slot of its first name among its parent's children.
  private int slot;

  private @Nullable StreamAhead ahead;
  private boolean owner;
  private @Nullable String key;
  private @Nullable StreamVerdict verdict;
  private @Nullable StreamFill fill;
  private @Nullable DistinctCount distinct;
  private @Nullable FollowDistance follow;

  /**
   * Begins a stream without reads.
   *
   * @param number tells it from others of its tree
   * @param parent the stream above; null for the root
   */
  StreamNode(
      StreamRules rules, int number, @Nullable StreamNode parent, String label, boolean isFile) {
    this.rules = rules;
    this.number = number;
    this.parent = parent;
    this.label = label;
    this.isFile = isFile;
    this.firstLength = firstLength(label, isFile);
    this.reads = new StreamReads(rules);
    this.numbers = new ItemNumbers(isFile);
  }

  int number() {
    return number;
  }

  @Nullable StreamNode parent() {
    return parent;
  }

  /** Returns its name below its parent: several names if directories are joined in it. */
  String label() {
    return label;
  }

  /** Returns the length of the first name in its label. */
  int firstLength() {
    return firstLength;
  }

  private static int firstLength(String label, boolean isFile) {
    int slash = label.indexOf('/');
    return slash < 0 || isFile ? label.length() : slash;
  }

  /** Moves it below another parent, under the rest of its label. */
  void moveBelow(StreamNode other, String rest) {
    parent = other;
    label = rest;
    firstLength = firstLength(rest, isFile);
  }

  /** Begins with the counts of a child it was joined with until now. */
  void countAs(StreamNode child) {
    reads.countAs(child.reads);
    slot = child.slot;
  }

  String path() {
    if (parent == null) {
      return "";
    }
    return parent.parent == null ? label : parent.path() + "/" + label;
  }

  int slot() {
    return slot;
  }

  void slot(int inParent) {
    slot = inParent;
  }

  /** Returns the order of its children. */
  ChildOrder order() {
    return numbers.order;
  }

  /** Goes by a listing from now on. */
  void follow(@Nullable NameList listing) {
    order().follow(listing, reads.items(), reads.steps());
    for (@Nullable StreamNode child = links.firstChild();
        child != null;
        child = child.links.next()) {
      child.slot(order().slot(child.label, 0, child.firstLength()));
    }
  }

  /** Forgets reads whose numbers mean nothing any more. */
  void checkListing() {
    if (order().hasLostListing()) {
      forgetReads();
    }
  }

  /** Forgets the latest reads, not what was recognised in them. */
  void forgetReads() {
    reads.forget();
    numbers.forget();
  }

  /** Analyses the latest reads; returns true if what follows from the pattern may have changed. */
  boolean analyze(PatternTests tests) {
    final AccessPattern before = recognition().pattern();
    final Forward was = decision.forward();
    reads.countReaders();
    numbers.rebuild(this);
    if (reads.takeItems()) {
      decision.items(tests.recognize(items(rules.window())));
      if (reads.takeLong()) {
        decision.itemsAtLength(tests.recognize(items(rules.longWindow())));
      }
    }
    if (reads.takeSteps()) {
      decision.children(tests.recognize(numbers.children(reads.steps(), rules.window())));
    }
    decideForward();
    return recognition().pattern() != before || decision.forward() != was;
  }

  /** Analyses what there is now, because its quota has changed (IGTCache, §4). */
  void analyzeAnew(PatternTests tests) {
    if (reads.makeDue()) {
      analyze(tests);
    }
  }

  private StreamWindow items(int most) {
    return numbers.items(reads.items(), most, 0);
  }

  private void decideForward() {
    boolean told = verdict != null && pattern() == AccessPattern.SEQUENTIAL;
    decision.decide(told, knownSiblings(), rules.hotShare());
  }

  /** Returns what is known for reading ahead; most streams never need it. */
  StreamAhead ahead() {
    @Nullable StreamAhead known = ahead;
    if (known == null) {
      known = new StreamAhead(rules);
      ahead = known;
    }
    return known;
  }

  /** Returns what was read below its children; null if that was never asked for. */
  @Nullable SiblingReads knownSiblings() {
    return ahead == null ? null : ahead.knownSiblings();
  }

  /** Returns the places at which it is read forward; null if there are none. */
  @Nullable ForwardRuns knownRuns() {
    return ahead == null ? null : ahead.knownRuns();
  }

  /** Returns how it is read, once two windows agreed. */
  Recognition recognition() {
    return decision.recognition();
  }

  /** Returns how it is read: what all doors together saw counts, if the plan tells. */
  AccessPattern pattern() {
    @Nullable StreamVerdict told = verdict;
    return told != null && told.pattern() != AccessPattern.UNKNOWN
        ? told.pattern()
        : recognition().pattern();
  }

  @Nullable StreamVerdict verdict() {
    return verdict;
  }

  void verdict(@Nullable StreamVerdict told) {
    verdict = told;
    decideForward();
  }

  /** Says if it may own a quota; an owner counts what the manager must know. */
  void owner(boolean may) {
    owner = may;
    if (may) {
      reads.items().extend(rules.longWindow());
      if (distinct == null) {
        distinct = new DistinctCount();
      }
    }
  }

  boolean isOwner() {
    return owner;
  }

  @Nullable DistinctCount distinct() {
    return distinct;
  }

  /** Returns how far its readers are behind one another; measures it from now on. */
  FollowDistance followed() {
    @Nullable FollowDistance known = follow;
    if (known == null) {
      known = new FollowDistance();
      follow = known;
    }
    return known;
  }

  /** Returns the bytes between two readers; 0 if none follows another closely. */
  long followBytes(long streamBytes) {
    return follow == null ? 0 : follow.bytes(streamBytes);
  }

  @Nullable StreamFill fill() {
    return fill;
  }

  void fill(@Nullable StreamFill next) {
    fill = next;
  }

  /** Returns its hashed name, if it was asked for. */
  @Nullable String key() {
    return key;
  }

  void key(String hashed) {
    key = hashed;
  }

  /** Counts what was advised for it and all streams above, or with -1 takes it back. */
  void advised(int change) {
    for (@Nullable StreamNode node = this; node != null; node = node.parent) {
      node.ahead().advised(change);
    }
  }

  /** Counts that a program read what was advised for it and all streams above. */
  void used() {
    for (@Nullable StreamNode node = this; node != null; node = node.parent) {
      node.ahead().countUsed();
    }
  }

  /** Returns the bytes it takes, without the names of its children. */
  long heldBytes() {
    return OBJECT_BYTES
        + label.length()
        + reads.heldBytes()
        + numbers.heldBytes()
        + decision.heldBytes()
        + (ahead == null ? 0 : ahead.heldBytes())
        + (follow == null ? 0 : FollowDistance.HELD_BYTES)
        + (distinct == null ? 0 : DistinctCount.HELD_BYTES)
        + (key == null ? 0 : OWNER_BYTES);
  }
}
