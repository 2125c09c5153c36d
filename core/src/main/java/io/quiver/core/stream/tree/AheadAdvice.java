package io.quiver.core.stream.tree;

import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamRules;
import org.jspecify.annotations.Nullable;

/** Advises to read blocks ahead of a stream, as far as its depth allows. */
final class AheadAdvice {
  /** Most bytes that are read ahead of one stream. */
  private static final double MOST_AHEAD_BYTES = 1 << 28;

  private final StreamRules rules;
  private final AdviceBook book;
  private int nowMillis;

  AheadAdvice(StreamRules rules, AdviceBook book) {
    this.rules = rules;
    this.book = book;
  }

  /** Returns how many items are read ahead of a stream: fewer if they are long. */
  static int depth(StreamNode stream) {
    double fits = MOST_AHEAD_BYTES / Math.max(1, stream.reads.meanBytes());
    return (int) Math.min(stream.ahead().depth().depth(), Math.max(1, fits));
  }

  /** Sets the time of the advices that follow. */
  void at(long now) {
    nowMillis = StreamReads.millis(now);
  }

  /**
   * Returns false if siblings of a file were not asked for the same (hierarchical prefetching).
   *
   * @param siblings what was read beside; null if unknown
   * @param name a name below a sibling; empty for the sibling itself
   */
  boolean isWanted(@Nullable SiblingReads siblings, String name, int block) {
    return siblings == null || siblings.mayRead(name, block, rules.hotShare());
  }

  /**
   * Advises a block, unless that was done before; returns false if the stream is read far enough
   * ahead.
   *
   * @param runs at how many places the stream is read forward
   */
  boolean advise(StreamNode stream, String path, int block, int runs) {
    if (!stream.ahead().depth().allows(runs)) {
      return false;
    }
    if (book.add(new PrefetchAdvice(path, block, Purpose.AHEAD), stream, nowMillis)) {
      stream.ahead().depth().issued();
    }
    return true;
  }
}
