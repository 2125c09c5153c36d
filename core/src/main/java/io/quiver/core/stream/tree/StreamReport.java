package io.quiver.core.stream.tree;

import io.quiver.core.bound.Bounds;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import org.jspecify.annotations.Nullable;

/** Makes the summary of a stream that a door sends. */
final class StreamReport {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LONGEST_READ_SECONDS = 1e6;
  private static final double SHORTEST_READ_SECONDS = 1e-9;
  private static final double MOST_READS = 1e9;

  private final StreamRules rules;
  private final Listings listings;

  StreamReport(StreamRules rules, Listings listings) {
    this.rules = rules;
    this.listings = listings;
  }

  /** Returns the summary; the reads it shows are not shown again. */
  StreamSummary of(StreamNode node, String key, long now) {
    String path = node.path();
    long items = items(node);
    long bytes = bytes(node, path, items);
    double quiet = quietSeconds(node, 0);
    @Nullable ReadRates rates = node.reads.rates();
    double rate = rates == null ? 0 : Math.min(MOST_READS, rates.readsPerSecond(now));
    int unsent = node.reads.takeUnsent();
    return new StreamSummary(
        key,
        StreamSummary.label(path),
        node.recognition(),
        node.decision.windows(),
        Math.min(items, Bounds.MAX_COUNT),
        Math.min(bytes, Bounds.MAX_BYTES),
        node.reads.countReaders(),
        rate,
        rates == null ? 0 : rates.storeShare(),
        rates == null ? 0 : seconds(rates.cacheSeconds()),
        rates == null ? 0 : seconds(rates.storeSeconds()),
        Math.max(0, now - node.reads.last()) / NANOS_PER_SECOND,
        Math.min(Bounds.MAX_SECONDS, quiet + rules.leaseBase().toNanos() / NANOS_PER_SECOND),
        quiet,
        Math.min(Bounds.MAX_BYTES, node.followBytes(bytes)),
        Math.max(0, node.ahead().advised()),
        Math.max(0, node.ahead().used()),
        unsent == 0
            ? null
            : node.numbers.items(node.reads.items(), unsent, StreamReads.millis(now)));
  }

  private static double seconds(double measured) {
    return measured == 0
        ? 0
        : Math.max(SHORTEST_READ_SECONDS, Math.min(LONGEST_READ_SECONDS, measured));
  }

  /** Returns how many items a stream has: as listed, else as many as were seen at least. */
  private static long items(StreamNode node) {
    @Nullable DistinctCount distinct = node.distinct();
    return Math.max(node.numbers.items(), distinct == null ? 0 : distinct.estimate());
  }

  /** Returns the bytes of all items: as listed, else by the mean length of those that were read. */
  long bytes(StreamNode node) {
    return bytes(node, node.path(), items(node));
  }

  private long bytes(StreamNode node, String path, long items) {
    @Nullable NameList list = node.isFile ? null : listings.of(path);
    return list != null && list.isComplete() && list.directories() == 0
        ? list.fileBytes()
        : Math.round(node.reads.meanBytes() * items);
  }

  /**
   * Returns the longest pause that is to be expected of a stream and of all substreams. Of many
   * that are read by turns only the latest are known; their gaps follow from its own.
   */
  private double quietSeconds(StreamNode node, int level) {
    final int most = 8;
    LeaseEstimate lease = node.reads.lease();
    double longest = lease.isKnown() ? lease.quietSeconds() : 0;
    int substreams = 0;
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null && level < most;
        child = child.links.next()) {
      if (!child.isFile) {
        substreams++;
        boolean reads = child.recognition().pattern() == node.recognition().pattern();
        longest = Math.max(longest, reads ? quietSeconds(child, level + 1) : 0);
      }
    }
    boolean byTurns = node.recognition().pattern() == AccessPattern.RANDOM && substreams > 1;
    return Math.min(
        Bounds.MAX_SECONDS / 2,
        byTurns ? Math.max(longest, lease.quietSeconds(node.order().children())) : longest);
  }
}
