package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.ListedPage;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamPlacements;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.pattern.PatternTests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything a door knows about how its programs read: the tree of streams, what was recognised in
 * it and what is to be read ahead. One thread uses it; others use the {@link #placements} it made.
 */
public final class AccessStreams {
  /** The part of the bytes of listings that names seen without a listing may take. */
  private static final long NAMES_PART = 8;

  private final StreamRules rules;
  private final PatternTests tests;
  private final SteadyClock clock = new SteadyClock();
  private final LatestReads latest = new LatestReads();
  private final BlockSizes sizes = new BlockSizes();
  private final AdviceBook book = new AdviceBook();
  private final RecentReaders recent = new RecentReaders();
  private final Listings listings;
  private final StreamTree tree;
  private final AheadRules ahead;
  private final FillRules filling;
  private final PlanWords words;
  private final StreamReport report;
  private List<StreamNode> owners = List.of();
  private StreamPlacements placements = StreamPlacements.NONE;
  private boolean changed;

  /**
   * Begins with nothing seen.
   *
   * @param keys makes the hashed name of a stream of its path; the same at all doors of a store
   */
  public AccessStreams(StreamRules rules, UnaryOperator<String> keys) {
    this.rules = rules;
    this.tests = new PatternTests(rules);
    long names = rules.mostListingBytes() / NAMES_PART;
    this.listings = new Listings(rules.mostListingBytes() - names);
    this.tree = new StreamTree(rules, listings, names);
    this.ahead = new AheadRules(rules, listings, book, sizes);
    this.report = new StreamReport(rules, listings);
    this.words = new PlanWords(rules, keys);
    this.filling = new FillRules(rules, tree, listings, sizes, report);
  }

  /** Notes a read. */
  public void read(BlockAccess access) {
    long now = clock.advance(access.nanos());
    long key = AdviceBook.key(access.path(), access.block());
    if (latest.isPieceOf(key, access.reader())) {
      latest.touch(now);
      return;
    }
    sizes.note(access);
    book.read(key, access.fromStore());
    Way way = tree.reach(access.path(), access.blocks() > 1);
    latest.of(way.last());
    boolean stepped = note(way, access, key, now);
    tree.bounds().trim(way);
    ahead.follow(way, access, stepped, now);
  }

  /** Notes a read in all streams of its way; returns true if the deepest but one was stepped in. */
  private boolean note(Way way, BlockAccess access, long key, long now) {
    int reader = Long.hashCode(access.reader());
    int place = 0;
    boolean stepped = false;
    @Nullable StreamNode sequential = null;
    for (int level = way.size() - 1; level >= 0; level--) {
      StreamNode node = way.node(level);
      node.checkListing();
      int child = child(way, level, access);
      way.slot(level, child);
      node.reads.note(access, child, place, reader, now);
      if (level + 1 == way.size()) {
        node.reads.notePlain();
      } else {
        way.node(level + 1).slot(child);
        boolean step = node.reads.step(child, reader, now);
        siblings(way, level, access, child, step);
        stepped |= step;
      }
      @Nullable DistinctCount distinct = node.distinct();
      if (distinct != null) {
        distinct.add(key);
      }
      place = level == 0 ? place : node.numbers.number(child, place);
      analyze(node);
      changed |= words.meets(node);
      if (node.isOwner() && node.pattern() == AccessPattern.SEQUENTIAL) {
        sequential = node;
      }
      tree.bounds().noted(node);
    }
    if (sequential != null) {
      recent.note(sequential.followed(), key, reader, access.bytes());
    }
    return stepped;
  }

  private static int child(Way way, int level, BlockAccess access) {
    StreamNode node = way.node(level);
    if (node.isFile) {
      node.numbers.blocks(access.blocks());
      return access.block();
    }
    return node.order().slot(way.path(), way.from(level), way.to(level), way.hash(level));
  }

  /** Remembers what is read below the children of the two directories above a file. */
  private static void siblings(Way way, int level, BlockAccess access, int child, boolean step) {
    final int leastChildren = 8;
    final int levels = 3;
    StreamNode node = way.node(level);
    if (node.links.children() < leastChildren || way.size() - level > levels) {
      return;
    }
    SiblingReads siblings = node.ahead().siblings();
    if (step) {
      boolean file = way.node(level + 1).isFile;
      siblings.visit(file ? access.blocks() : 0, node.reads.readers());
    }
    siblings.read(way.path(), way.to(level) + 1, access.block(), child);
  }

  private void analyze(StreamNode node) {
    if (node.reads.areDue() && node.analyze(tests)) {
      changed = true;
      tree.bounds().count(node);
    }
  }

  /**
   * Learns what a directory holds, as a listing that a program asked for has shown it.
   *
   * @param directory path of the directory; empty for the root
   * @param page a page of its children, in the order of their names
   */
  public void listed(String directory, ListedPage page) {
    @Nullable NameList list = listings.learn(directory, page);
    @Nullable StreamNode node = tree.find(directory);
    if (list != null && node != null) {
      node.follow(list);
      tree.bounds().count(node);
    }
  }

  /** Returns up to so many advices and forgets them; the most urgent come first. */
  public List<PrefetchAdvice> advise(int most, long nanos) {
    return advise(most, most, nanos);
  }

  /**
   * Returns up to so many advices and forgets them; the most urgent come first.
   *
   * @param mostFills how many blocks the door may read into the cache now: filling must not be in
   *     the way of programs
   */
  public List<PrefetchAdvice> advise(int most, int mostFills, long nanos) {
    long now = clock.advance(nanos);
    List<PrefetchAdvice> advices = book.take(most);
    if (advices.isEmpty() && mostFills > 0) {
      filling.add(advices, Math.min(most, mostFills), now);
    }
    return advices;
  }

  /** Notes the end of an advice. */
  public void ended(PrefetchAdvice advice, Outcome outcome) {
    long now = clock.now();
    if (advice.purpose() == Purpose.FILL) {
      filling.ended(advice, outcome, now);
      return;
    }
    book.ended(advice, outcome, StreamReads.millis(now));
    if (outcome == Outcome.FAILED) {
      endRuns(advice);
    }
  }

  /** Goes no further than a name that was guessed and does not exist. */
  private void endRuns(PrefetchAdvice advice) {
    String path = advice.path();
    @Nullable StreamNode directory = tree.find(PathNames.directory(path));
    @Nullable ForwardRuns runs = directory == null ? null : directory.knownRuns();
    if (directory != null && runs != null && !directory.order().isListed()) {
      runs.ended(directory.order().placeOf(PathNames.name(path)));
    }
  }

  /** Follows the latest plan: merged patterns, and the quotas that fill streams. */
  public void follow(List<StreamVerdict> verdicts) {
    for (StreamNode node : words.take(verdicts, tree.root())) {
      node.analyzeAnew(tests);
    }
    filling.follow(words.told());
    changed = true;
  }

  /** Returns the streams that may own a quota, those with the most reads first. */
  public List<StreamSummary> summaries(int most, long nanos) {
    long now = clock.advance(nanos);
    owners.forEach(owner -> owner.owner(false));
    owners = QuotaOwners.of(rules, tree.root());
    owners.sort(Comparator.comparingLong((StreamNode owner) -> owner.reads.count()).reversed());
    owners.subList(Math.min(most, owners.size()), owners.size()).clear();
    List<StreamSummary> summaries = new ArrayList<>();
    for (StreamNode owner : owners) {
      owner.owner(true);
      tree.bounds().count(owner);
      summaries.add(report.of(owner, words.key(owner), now));
    }
    return summaries;
  }

  /**
   * Returns where blocks go as of now; the answer never changes and is safe for use by many
   * threads. What the plan says of a stream counts; of a stream that no plan mentions yet,
   * sequential reads go nowhere and all others into the shared space.
   */
  public StreamPlacements placements() {
    if (changed) {
      changed = false;
      placements = words.placements(tree.root());
    }
    return placements;
  }

  /** Returns how many nodes the tree has. */
  public int nodes() {
    return tree.nodes();
  }

  /** Returns the bytes of the tree, without listings. */
  public long treeBytes() {
    return tree.heldBytes() + book.heldBytes() + recent.heldBytes() + latest.heldBytes();
  }

  /** Returns the bytes of listings. */
  public long listingBytes() {
    return listings.heldBytes() + tree.bounds().nameBytes();
  }
}
