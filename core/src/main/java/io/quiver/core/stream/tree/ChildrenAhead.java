package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Advises of the next children of a directory what was read of those before: a slice through many
 * directories or files (hierarchical prefetching; IGTCache, Figure 7).
 */
final class ChildrenAhead {
  private final StreamRules rules;
  private final AheadAdvice advice;
  private final Listings listings;

  ChildrenAhead(StreamRules rules, AheadAdvice advice, Listings listings) {
    this.rules = rules;
    this.advice = advice;
    this.listings = listings;
  }

  /** Advises what follows after a reader went over to another child of a stream. */
  void advise(Way way, int level) {
    StreamNode stream = way.node(level);
    @Nullable SiblingReads siblings = stream.knownSiblings();
    if (siblings == null) {
      return;
    }
    List<SiblingReads.Unit> hot = siblings.hot(rules.hotShare());
    int place = stream.order().place(way.slot(level));
    if (hot.isEmpty() || place < 0) {
      return;
    }
    ForwardRuns runs = stream.ahead().runs();
    int children = Math.max(1, AheadAdvice.depth(stream) / hot.size());
    if (!runs.note(place, children)) {
      return;
    }
    int to = runs.to(children);
    String above = stream.path();
    for (int next = runs.from(); next <= to; next += runs.stride()) {
      String name = stream.order().nameAt(next);
      boolean goesOn =
          !name.isEmpty()
              && (runs.isRead(next)
                  || child(stream, PathNames.joined(above, name), hot, runs.size()));
      if (!goesOn) {
        return;
      }
      runs.reached(next);
    }
  }

  private boolean child(StreamNode stream, String path, List<SiblingReads.Unit> hot, int runs) {
    @Nullable NameList list = listings.of(path);
    for (SiblingReads.Unit unit : hot) {
      String file = unit.name.isEmpty() ? path : PathNames.joined(path, unit.name);
      if (!isMissing(list, unit.name)
          && !advice.advise(stream, file, unit.block, runs * hot.size())) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if a listing shows that a name is not there. */
  private static boolean isMissing(@Nullable NameList list, String name) {
    return list != null
        && list.isComplete()
        && !name.isEmpty()
        && name.indexOf('/') < 0
        && list.find(name, 0, name.length()) < 0;
  }
}
