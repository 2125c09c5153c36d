package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.core.stream.pattern.PatternTests;
import org.jspecify.annotations.Nullable;

/**
 * One stream: a directory, or a file of several blocks, with its latest reads and what was
 * recognised in them. Directories with one child only are joined with it (layer compression).
 */
final class StreamNode {
  private static final int OBJECT_BYTES = 360;
  private static final int CONTROL_BYTES = 96;
  private static final int VOTES_BYTES = 200;
  private static final int NANOS_PER_MILLI = 1_000_000;

  /** Steps of other readers among which a reader's last one is looked for. */
  private static final int LOOK_BACK = 16;

  /** Ways in which a stream is read forward. */
  enum Forward {
    /** Not at all. */
    NONE,
    /** Item by item. */
    ITEMS,
    /** Child by child, of each only some items. */
    CHILDREN
  }

  final StreamRules rules;
  final boolean isFile;
  final ChildOrder order = new ChildOrder();
  final ChildBases bases = new ChildBases();
  final LeaseEstimate lease = new LeaseEstimate();
  final NodeLinks links = new NodeLinks(this);

  private @Nullable StreamNode parent;
  private String label;
  private int blocks;

  // The slot of its first name among its parent's children.
  private int slot;

  private long reads;
  private long plainReads;
  private long bytes;
  private long lastRead = -1;
  private int dueItems;
  private int dueLong;
  private int dueSteps;
  private int unsent;
  private @Nullable ReadRing items;
  private @Nullable ReadRing steps;
  private @Nullable PatternVotes itemVotes;
  private @Nullable PatternVotes stepVotes;
  private @Nullable SiblingReads siblings;
  private @Nullable ForwardRuns runs;
  private @Nullable DepthControl depth;
  private @Nullable ReadRates rates;
  private @Nullable FollowDistance follow;
  private @Nullable DistinctCount distinct;
  private @Nullable StreamFill fill;
  private @Nullable String key;
  private @Nullable StreamVerdict verdict;
  private boolean owner;
  private int readers = 1;
  private Forward forward = Forward.NONE;
  private long advised;
  private long used;

  StreamNode(StreamRules rules, @Nullable StreamNode parent, String label, boolean isFile) {
    this.rules = rules;
    this.parent = parent;
    this.label = label;
    this.isFile = isFile;
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
    int slash = label.indexOf('/');
    return slash < 0 || isFile ? label.length() : slash;
  }

  /** Moves it below another parent, under the rest of its label. */
  void moveBelow(StreamNode other, String rest) {
    parent = other;
    label = rest;
  }

  /** Begins with the counts of a child it was joined with until now. */
  void countAs(StreamNode child) {
    reads = child.reads;
    bytes = child.bytes;
    lastRead = child.lastRead;
    slot = child.slot;
  }

  String path() {
    if (parent == null) {
      return "";
    }
    String above = parent.path();
    return parent.parent == null ? label : above + "/" + label;
  }

  int slot() {
    return slot;
  }

  void slot(int inParent) {
    slot = inParent;
  }

  void blocks(int count) {
    blocks = Math.max(blocks, count);
  }

  long reads() {
    return reads;
  }

  long lastRead() {
    return lastRead;
  }

  /** Returns the mean length of its items. */
  double meanBytes() {
    return reads == 0 ? 0 : (double) bytes / reads;
  }

  /** Notes that a read is of a child that is no stream: a file of one block. */
  void notePlain() {
    plainReads++;
  }

  /** Returns true if most reads are of children that are streams. */
  boolean isReadInStreams() {
    return 2 * plainReads <= reads;
  }

  void touch(long now) {
    lastRead = now;
  }

  /** Notes a read of the child in a slot, at a place below it. */
  void note(BlockAccess access, int child, int place, int reader, long now) {
    if (lastRead >= 0) {
      lease.note(now - lastRead);
    }
    lastRead = now;
    reads++;
    bytes += access.bytes();
    dueItems++;
    dueLong++;
    unsent++;
    ring().add(child, place, reader, millis(now));
    @Nullable ReadRates measured = rates;
    if (measured == null && reads > rules.window() / 4) {
      measured = new ReadRates(now);
      rates = measured;
    }
    if (measured != null) {
      measured.note(now, access.fromStore(), access.tookNanos());
    }
  }

  private ReadRing ring() {
    @Nullable ReadRing ring = items;
    if (ring == null) {
      ring = new ReadRing(rules.window());
      items = ring;
    }
    return ring;
  }

  static int millis(long now) {
    return (int) (now / NANOS_PER_MILLI);
  }

  /** Notes that a reader goes over to another child; returns false if it reads on in one. */
  boolean step(int child, int reader, long now) {
    @Nullable ReadRing ring = steps;
    if (ring == null) {
      ring = new ReadRing(rules.window());
      steps = ring;
    }
    for (int age = 0; age < Math.min(LOOK_BACK, ring.size()); age++) {
      if (ring.reader(age) == reader) {
        if (ring.slot(age) == child) {
          return false;
        }
        break;
      }
    }
    ring.add(child, 0, reader, millis(now));
    dueSteps++;
    return true;
  }

  /** Remembers what is read below its children from now on. */
  SiblingReads siblings() {
    @Nullable SiblingReads known = siblings;
    if (known == null) {
      known = new SiblingReads();
      siblings = known;
    }
    return known;
  }

  @Nullable SiblingReads knownSiblings() {
    return siblings;
  }

  /** Goes by a listing from now on. */
  void follow(@Nullable NameList listing) {
    order.follow(listing, items, steps);
    for (@Nullable StreamNode child = links.firstChild();
        child != null;
        child = child.links.next()) {
      child.slot(order.slot(child.label, 0, child.firstLength()));
    }
  }

  /** Forgets reads whose numbers mean nothing any more. */
  void checkListing() {
    if (order.hasLostListing()) {
      forgetReads();
    }
  }

  /** Forgets the latest reads, not what was recognised in them. */
  void forgetReads() {
    if (items != null) {
      items.clear();
    }
    if (steps != null) {
      steps.clear();
    }
    bases.clear();
  }

  boolean isDue() {
    return dueItems >= rules.window() || dueSteps >= rules.window();
  }

  /** Analyses the latest reads; returns true if what follows from the pattern may have changed. */
  boolean analyze(PatternTests tests) {
    AccessPattern before = recognition().pattern();
    Forward was = forward;
    countReaders();
    order.rank();
    bases.rebuild(this);
    if (dueItems >= rules.window()) {
      dueItems = 0;
      itemVotes().vote(tests.recognize(itemWindow(rules.window(), 0)));
      if (dueLong >= rules.longWindow() && ring().size() >= rules.longWindow()) {
        dueLong = 0;
        itemVotes().voteLong(tests.recognize(itemWindow(rules.longWindow(), 0)));
      }
    }
    if (dueSteps >= rules.window()) {
      dueSteps = 0;
      stepVotes().vote(tests.recognize(stepWindow()));
    }
    decideForward();
    return recognition().pattern() != before || forward != was;
  }

  /** Analyses what there is now, because its quota has changed (IGTCache, §4). */
  void analyzeAnew(PatternTests tests) {
    if (ring().size() >= rules.window() && dueItems > 0) {
      dueItems = rules.window();
      analyze(tests);
    }
  }

  private PatternVotes itemVotes() {
    @Nullable PatternVotes votes = itemVotes;
    if (votes == null) {
      votes = new PatternVotes();
      itemVotes = votes;
    }
    return votes;
  }

  private PatternVotes stepVotes() {
    @Nullable PatternVotes votes = stepVotes;
    if (votes == null) {
      votes = new PatternVotes();
      stepVotes = votes;
    }
    return votes;
  }

  private StreamWindow stepWindow() {
    Indexing rule = order.indexing();
    @Nullable ReadRing ring = steps;
    return ring == null
        ? itemWindow(0, 0)
        : WindowMaker.window(
            ring, rules.window(), rule, order.population(rule), order::index, (s, p) -> s, 0);
  }

  /** Returns the latest reads, at most some; ages are as of a time. */
  StreamWindow itemWindow(int most, long now) {
    if (isFile) {
      return WindowMaker.window(
          ring(), most, Indexing.LISTED, blocks, (s, rule) -> s, (i, place) -> i, millis(now));
    }
    Indexing rule = order.indexing();
    StreamWindow window =
        WindowMaker.window(
            ring(),
            most,
            rule,
            (int) Math.min(Integer.MAX_VALUE, items()),
            order::index,
            (i, place) -> (int) Math.min(Integer.MAX_VALUE, bases.base(i) + place),
            millis(now));
    return bases.isPlain()
        ? window
        : new StreamWindow(
            Indexing.SEEN,
            window.population(),
            window.indices(),
            window.readers(),
            window.agesMillis());
  }

  /** Returns the place of an item among all below this stream, as of the last analysis. */
  int place(int child, int below) {
    if (isFile) {
      return child;
    }
    long place = bases.base(order.index(child, order.indexing())) + below;
    return (int) Math.min(Integer.MAX_VALUE, place);
  }

  /** Returns how many items there are below it, as far as can be told by its order. */
  long items() {
    return isFile ? blocks : bases.total(order.population(order.indexing()));
  }

  /** Returns how it is read, once two windows agreed. */
  Recognition recognition() {
    Recognition items = itemVotes == null ? Recognition.NONE : itemVotes.current();
    Recognition children = stepVotes == null ? Recognition.NONE : stepVotes.current();
    return items.pattern() != AccessPattern.SEQUENTIAL
            && children.pattern() == AccessPattern.SEQUENTIAL
        ? children
        : items;
  }

  /** Returns how it is read: what all doors together saw counts, if the plan tells. */
  AccessPattern pattern() {
    @Nullable StreamVerdict told = verdict;
    return told != null && told.pattern() != AccessPattern.UNKNOWN
        ? told.pattern()
        : recognition().pattern();
  }

  long windows() {
    return (itemVotes == null ? 0 : itemVotes.windows())
        + (stepVotes == null ? 0 : stepVotes.windows());
  }

  private void decideForward() {
    boolean items =
        isForward(itemVotes) || (verdict != null && pattern() == AccessPattern.SEQUENTIAL);
    boolean children = isForward(stepVotes);
    boolean inParts = children && isReadInParts(items && isByRuns(itemVotes));
    forward = inParts ? Forward.CHILDREN : items || children ? Forward.ITEMS : Forward.NONE;
  }

  /** Returns true if of each child the same is read, and that is not read better item by item. */
  private boolean isReadInParts(boolean byItems) {
    @Nullable SiblingReads known = siblings;
    int hot = known == null ? 0 : known.hot(rules.hotShare()).size();
    return known != null && hot > 0 && (!byItems || known.areAll(hot));
  }

  /** The first window is enough to read ahead: that costs little, and waiting costs much. */
  private static boolean isForward(@Nullable PatternVotes votes) {
    if (votes == null) {
      return false;
    }
    AccessPattern decided = votes.current().pattern();
    return decided == AccessPattern.SEQUENTIAL
        || (decided == AccessPattern.UNKNOWN
            && votes.latest().pattern() == AccessPattern.SEQUENTIAL);
  }

  private static boolean isByRuns(@Nullable PatternVotes votes) {
    return votes != null
        && (votes.latest().evidence() == Recognition.Evidence.RUNS
            || votes.latest().evidence() == Recognition.Evidence.MIXED_RUNS);
  }

  Forward forward() {
    return forward;
  }

  ForwardRuns runs() {
    @Nullable ForwardRuns known = runs;
    if (known == null) {
      known = new ForwardRuns();
      runs = known;
    }
    return known;
  }

  @Nullable ForwardRuns knownRuns() {
    return runs;
  }

  DepthControl depth() {
    @Nullable DepthControl known = depth;
    if (known == null) {
      known = new DepthControl(rules);
      depth = known;
    }
    return known;
  }

  FollowDistance followed() {
    @Nullable FollowDistance known = follow;
    if (known == null) {
      known = new FollowDistance();
      follow = known;
    }
    return known;
  }

  long followBytes(long streamBytes) {
    return follow == null ? 0 : follow.bytes(streamBytes);
  }

  @Nullable ReadRates rates() {
    return rates;
  }

  /** Says if it may own a quota; an owner begins to count what it must know. */
  void owner(boolean may) {
    owner = may;
    if (may) {
      ring().extend(rules.longWindow());
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

  @Nullable StreamFill fill() {
    return fill;
  }

  void fill(@Nullable StreamFill next) {
    fill = next;
  }

  @Nullable String key() {
    return key;
  }

  void key(String hashed) {
    key = hashed;
  }

  @Nullable StreamVerdict verdict() {
    return verdict;
  }

  void verdict(@Nullable StreamVerdict told) {
    verdict = told;
    decideForward();
  }

  /** Returns how many readers its latest reads had when they were analysed. */
  int readers() {
    return readers;
  }

  /** Counts the readers of its latest reads. */
  int countReaders() {
    final int most = 64;
    readers = ring().readers(rules.window(), most);
    return readers;
  }

  /** Returns how many reads were not sent yet, as many as may be. */
  int unsent() {
    return Math.min(Math.min(unsent, StreamWindow.MOST_SENT), ring().size());
  }

  void sent() {
    unsent = 0;
  }

  /** Counts what was advised below it, or with -1 takes it back. */
  void advised(int change) {
    for (@Nullable StreamNode node = this; node != null; node = node.parent) {
      node.advised += change;
    }
  }

  /** Counts that a program read what was advised below it. */
  void used() {
    for (@Nullable StreamNode node = this; node != null; node = node.parent) {
      node.used++;
    }
  }

  long advised() {
    return advised;
  }

  long usedCount() {
    return used;
  }

  /** Returns the bytes it takes, without the names of its children. */
  long heldBytes() {
    long held = OBJECT_BYTES + label.length() + bases.heldBytes();
    held += items == null ? 0 : items.heldBytes();
    held += steps == null ? 0 : steps.heldBytes();
    held += itemVotes == null ? 0 : VOTES_BYTES;
    held += stepVotes == null ? 0 : VOTES_BYTES;
    held += siblings == null ? 0 : siblings.heldBytes();
    held += runs == null ? 0 : ForwardRuns.HELD_BYTES;
    held += depth == null ? 0 : CONTROL_BYTES;
    held += follow == null ? 0 : CONTROL_BYTES;
    held += rates == null ? 0 : ReadRates.OBJECT_BYTES;
    held += distinct == null ? 0 : DistinctCount.HELD_BYTES;
    held += key == null ? 0 : CONTROL_BYTES;
    return held;
  }
}
