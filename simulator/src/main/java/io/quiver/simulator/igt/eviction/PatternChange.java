package io.quiver.simulator.igt.eviction;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.ListedPage;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.tree.AccessStreams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A door takes a stream for something else than before.
 *
 * @param afterReads after so many reads of the stream
 * @param pattern how it is read, as the door has recognised
 */
record PatternChange(int afterReads, AccessPattern pattern) {
  private static final long READ_NANOS = 10_000_000;

  /** Reads between two reports of the door, which come once a second. */
  private static final int REPORTED_EVERY = 100;

  private static final int ITEM_BYTES = 128 * 1024;
  private static final String DIRECTORY = "data";

  /** Lets a door see a trace, as reads of files in one directory that the program has listed. */
  static List<PatternChange> in(ReadTrace trace) {
    AccessStreams streams =
        new AccessStreams(StreamRules.STANDARD, path -> String.format("%016x", path.hashCode()));
    List<String> names = new ArrayList<>();
    for (int item = 0; item < trace.items(); item++) {
      names.add(String.format(Locale.ROOT, "%07d", item));
    }
    long[] lengths = new long[trace.items()];
    Arrays.fill(lengths, ITEM_BYTES);
    streams.listed(DIRECTORY, new ListedPage(names, lengths, true, true));
    List<PatternChange> changes = new ArrayList<>();
    AccessPattern before = AccessPattern.UNKNOWN;
    for (int i = 0; i < trace.reads().length; i++) {
      String path = DIRECTORY + "/" + names.get(trace.reads()[i]);
      long now = i * READ_NANOS;
      streams.read(
          new BlockAccess(path, 0, 1, ITEM_BYTES, trace.readers()[i], now, true, READ_NANOS));
      if ((i + 1) % REPORTED_EVERY == 0) {
        AccessPattern told = told(streams.summaries(1, now));
        if (told != before) {
          changes.add(new PatternChange(i + 1, told));
          before = told;
        }
      }
    }
    return changes;
  }

  private static AccessPattern told(List<StreamSummary> summaries) {
    return summaries.isEmpty()
        ? AccessPattern.UNKNOWN
        : summaries.getFirst().recognition().pattern();
  }
}
