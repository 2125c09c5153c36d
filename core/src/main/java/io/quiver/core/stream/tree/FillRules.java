package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamVerdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which random streams are read into the cache ahead of their programs. */
final class FillRules {
  private final StreamRules rules;
  private final StreamTree tree;
  private final Listings listings;
  private final BlockSizes sizes;
  private final StreamReport report;
  private final List<StreamNode> streams = new ArrayList<>();

  FillRules(
      StreamRules rules,
      StreamTree tree,
      Listings listings,
      BlockSizes sizes,
      StreamReport report) {
    this.rules = rules;
    this.tree = tree;
    this.listings = listings;
    this.sizes = sizes;
    this.report = report;
  }

  /** Follows the plan's word about these streams. */
  void follow(List<StreamNode> told) {
    streams.clear();
    for (StreamNode stream : told) {
      @Nullable StreamVerdict verdict = stream.verdict();
      if (verdict != null && fits(stream, verdict)) {
        begin(stream, verdict.quotaBytes());
        streams.add(stream);
      } else {
        stream.fill(null);
      }
    }
  }

  private boolean fits(StreamNode stream, StreamVerdict verdict) {
    long bytes = report.bytes(stream);
    return stream.pattern() == AccessPattern.RANDOM
        && verdict.space() != null
        && bytes > 0
        && verdict.quotaBytes() >= rules.fillShare() * bytes;
  }

  private void begin(StreamNode stream, long quotaBytes) {
    @Nullable StreamFill fill = stream.fill();
    if (fill == null || !fill.hasBegun()) {
      FillWalk walk = new FillWalk(stream, tree, listings, sizes);
      stream.fill(new StreamFill(stream.path(), walk, quotaBytes));
    } else {
      fill.quota(quotaBytes);
    }
  }

  /** Adds what is to be read into the cache now, until there are so many advices in all. */
  void add(List<PrefetchAdvice> advices, int most, long now) {
    for (StreamNode stream : streams) {
      @Nullable StreamFill fill = stream.fill();
      while (fill != null && advices.size() < most) {
        @Nullable PrefetchAdvice next = fill.next(now);
        if (next == null) {
          break;
        }
        advices.add(next);
      }
    }
  }

  /** Notes the end of an advice. */
  void ended(PrefetchAdvice advice, Outcome outcome, long now) {
    for (StreamNode stream : streams) {
      @Nullable StreamFill fill = stream.fill();
      if (fill != null && fill.owns(advice)) {
        fill.ended(advice, outcome, now);
      }
    }
  }
}
