package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * Decides how one stream is read: by its items, and by the order in which readers go through its
 * children. A stream of which each child is read in some order, but the children one after the
 * other, is sequential.
 */
final class StreamDecision {
  private static final long OBJECT_BYTES = 24;
  private static final long VOTES_BYTES = 136;

  private @Nullable PatternVotes items;
  private @Nullable PatternVotes children;
  private Forward forward = Forward.NONE;

  /** Ways in which a stream is read forward. */
  enum Forward {
    /** Not at all. */
    NONE,
    /** Item by item. */
    ITEMS,
    /** Child by child, of each only some items. */
    CHILDREN
  }

  /** Takes what a window of items tells. */
  void items(Recognition window) {
    itemVotes().vote(window);
  }

  /** Takes what a long window of items tells. */
  void itemsAtLength(Recognition window) {
    itemVotes().voteLong(window);
  }

  private PatternVotes itemVotes() {
    @Nullable PatternVotes votes = items;
    if (votes == null) {
      votes = new PatternVotes();
      items = votes;
    }
    return votes;
  }

  /** Takes what a window of children tells. */
  void children(Recognition window) {
    @Nullable PatternVotes votes = children;
    if (votes == null) {
      votes = new PatternVotes();
      children = votes;
    }
    votes.vote(window);
  }

  /** Returns how the stream is read, once two windows agreed. */
  Recognition recognition() {
    Recognition byItems = items == null ? Recognition.NONE : items.current();
    Recognition byChildren = children == null ? Recognition.NONE : children.current();
    return byItems.pattern() != AccessPattern.SEQUENTIAL
            && byChildren.pattern() == AccessPattern.SEQUENTIAL
        ? byChildren
        : byItems;
  }

  /** Returns how many windows were analysed. */
  long windows() {
    return (items == null ? 0 : items.windows()) + (children == null ? 0 : children.windows());
  }

  Forward forward() {
    return forward;
  }

  /** Returns true if the latest window of items showed another order than forward. */
  boolean isUnordered() {
    AccessPattern latest = items == null ? AccessPattern.UNKNOWN : items.latest().pattern();
    return forward == Forward.NONE
        && (latest == AccessPattern.RANDOM || latest == AccessPattern.SKEWED);
  }

  /**
   * Decides in which way the stream is read forward.
   *
   * @param toldSequential true if the plan says that it is sequential
   * @param siblings what was read below its children; null if unknown
   */
  void decide(boolean toldSequential, @Nullable SiblingReads siblings, double hotShare) {
    boolean byItems = isForward(items) || toldSequential;
    boolean byChildren = isForward(children);
    boolean inParts = byChildren && isInParts(byItems && isByRuns(items), siblings, hotShare);
    forward = inParts ? Forward.CHILDREN : byItems || byChildren ? Forward.ITEMS : Forward.NONE;
  }

  /** Returns true if of each child the same is read, and that is not read better item by item. */
  private static boolean isInParts(
      boolean byRuns, @Nullable SiblingReads siblings, double hotShare) {
    if (siblings == null) {
      return false;
    }
    int hot = siblings.hot(hotShare).size();
    return hot > 0 && (!byRuns || siblings.areAll(hot));
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
        && (votes.latest().evidence() == Evidence.RUNS
            || votes.latest().evidence() == Evidence.MIXED_RUNS);
  }

  long heldBytes() {
    return OBJECT_BYTES + (items == null ? 0 : VOTES_BYTES) + (children == null ? 0 : VOTES_BYTES);
  }
}
