package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamRules;
import org.jspecify.annotations.Nullable;

/** Knows of one stream where to read ahead, how far, and how much of each child. */
final class StreamAhead {
  private static final int OBJECT_BYTES = 48;

  private final StreamRules rules;
  private @Nullable SiblingReads siblings;
  private @Nullable ForwardRuns runs;
  private @Nullable DepthControl depth;
  private long advised;
  private long used;

  StreamAhead(StreamRules rules) {
    this.rules = rules;
  }

  /** Returns what is read below its children; remembers it from now on. */
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

  /** Returns the places at which it is read forward. */
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

  /** Returns how far it is read ahead. */
  DepthControl depth() {
    @Nullable DepthControl known = depth;
    if (known == null) {
      known = new DepthControl(rules);
      depth = known;
    }
    return known;
  }

  /** Counts advices; a negative number takes them back. */
  void advised(int change) {
    advised += change;
  }

  long advised() {
    return advised;
  }

  /** Counts that a program read what was advised. */
  void countUsed() {
    used++;
  }

  long used() {
    return used;
  }

  long heldBytes() {
    return OBJECT_BYTES
        + (siblings == null ? 0 : siblings.heldBytes())
        + (runs == null ? 0 : ForwardRuns.HELD_BYTES)
        + (depth == null ? 0 : DepthControl.HELD_BYTES);
  }
}
