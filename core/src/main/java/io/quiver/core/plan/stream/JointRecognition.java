package io.quiver.core.plan.stream;

import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.pattern.StreamMerge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recognises streams of which each door sees a part: a scan that is dealt to eight machines has
 * gaps of eight at every door. A door tells each read once, so that its latest report alone shows
 * one second. Here the latest reads of each door are kept, and those of all doors together are
 * tested as often as a door tests its own: after as many new reads as the test before had, and a
 * pattern counts once two such tests agree. Bounded in memory and in tests a second; what is beyond
 * counts as what its doors recognise. One thread at a time; times are passed in.
 */
public final class JointRecognition {
  /** Most streams of single doors whose reads are kept: about 10 MB. */
  static final int MOST_WINDOWS = 8192;

  /** Most tests a second. */
  static final int MOST_TESTS = 256;

  private static final int NEW_READS = StreamRules.STANDARD.window();
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long AGAIN_NANOS = 1_000_000_000L;

  /** The reads of a stream that one door told. */
  private record Place(String door, String key) {}

  private record Kept(StreamWindow window, long at) {}

  /** One stream as all doors together show it. */
  private static final class Joint {
    @Nullable Recognition counts;
    AccessPattern challenger = AccessPattern.UNKNOWN;
    int newReads;
    // As many as the latest test had, or else two tests would mostly see the same reads.
    int wanted = NEW_READS;
    long testedAt = Long.MIN_VALUE;

    /** Takes the result of a test. */
    void take(Recognition told) {
      if (told.evidence() != Evidence.MERGED) {
        return;
      }
      @Nullable Recognition before = counts;
      boolean agrees = before != null && told.pattern() == before.pattern();
      if (agrees || told.pattern() == challenger) {
        counts = told;
      }
      challenger = told.pattern();
    }
  }

  // The one that was told longest ago first.
  private final Map<Place, Kept> windows = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, Joint> joints = new HashMap<>();
  private long second = Long.MIN_VALUE;
  private int tests;

  /** Remembers the reads that a door tells. */
  public void note(DoorReport report, long now) {
    for (StreamSummary each : report.streams()) {
      @Nullable StreamWindow window = each.window();
      if (window != null) {
        Place place = new Place(report.door(), each.key());
        @Nullable Kept before = windows.get(place);
        windows.put(place, new Kept(before == null ? window : joined(before, window, now), now));
        @Nullable Joint joint = joints.get(each.key());
        if (joint != null) {
          joint.newReads = Math.min(Integer.MAX_VALUE / 2, joint.newReads + window.size());
        }
      }
    }
    while (windows.size() > MOST_WINDOWS) {
      windows.remove(windows.keySet().iterator().next());
    }
  }

  /**
   * Returns the latest reads of two windows of one door. Numbers of readers mean something within
   * one window only, so that those of the second are others.
   */
  private static StreamWindow joined(Kept before, StreamWindow window, long now) {
    StreamWindow old = before.window.after(Math.max(0, now - before.at) / NANOS_PER_SECOND);
    boolean alike = old.indexing() == window.indexing() && old.population() == window.population();
    int size = Math.min(StreamWindow.MOST_SENT, old.size() + window.size());
    int fromOld = Math.min(old.size(), size - Math.min(size, window.size()));
    if (!alike || fromOld <= 0) {
      return window;
    }
    int[] indices = new int[size];
    int[] readers = new int[size];
    int[] ages = new int[size];
    int skipped = old.size() - fromOld;
    int others = 0;
    for (int i = 0; i < fromOld; i++) {
      indices[i] = old.indices()[skipped + i];
      readers[i] = old.readers()[skipped + i];
      ages[i] = old.agesMillis()[skipped + i];
      others = Math.max(others, Math.min(readers[i], Integer.MAX_VALUE / 2) + 1);
    }
    for (int i = fromOld; i < size; i++) {
      int place = i - fromOld;
      indices[i] = window.indices()[place];
      readers[i] = others + Math.min(window.readers()[place], Integer.MAX_VALUE / 2);
      ages[i] = window.agesMillis()[place];
    }
    return new StreamWindow(window.indexing(), window.population(), indices, readers, ages);
  }

  /**
   * Returns reports in which all doors tell the pattern of the streams that they read together, and
   * no reads any more.
   */
  public List<Observed<DoorReport>> agreed(List<Observed<DoorReport>> reports, long now) {
    Map<String, List<Told>> told = new HashMap<>();
    Set<Place> present = new HashSet<>();
    for (Observed<DoorReport> each : reports) {
      String door = each.report().door();
      for (StreamSummary summary : each.report().streams()) {
        told.computeIfAbsent(summary.key(), any -> new ArrayList<>()).add(new Told(door, summary));
        present.add(new Place(door, summary.key()));
      }
    }
    windows.keySet().retainAll(present);
    joints.keySet().retainAll(told.keySet());
    Map<String, Recognition> joint = new HashMap<>();
    told.forEach((key, of) -> {
      @Nullable Recognition all = of.size() < 2 ? null : recognition(key, of, now);
      if (all != null) {
        joint.put(key, all);
      }
    });
    return reports.stream()
        .map(each -> new Observed<>(stamped(each.report(), joint), each.at()))
        .toList();
  }

  private record Told(String door, StreamSummary summary) {}

  private static DoorReport stamped(DoorReport report, Map<String, Recognition> joint) {
    boolean same =
        report.streams().stream()
            .allMatch(each -> each.window() == null && !joint.containsKey(each.key()));
    return same
        ? report
        : report.withStreams(
            report.streams().stream()
                .map(each ->
                    each.recognized(joint.getOrDefault(each.key(), each.recognition()), null))
                .toList());
  }

  private @Nullable Recognition recognition(String key, List<Told> told, long now) {
    Joint joint = joints.computeIfAbsent(key, any -> fresh(told));
    boolean due = joint.testedAt == Long.MIN_VALUE || now - joint.testedAt >= AGAIN_NANOS;
    if (due && joint.newReads >= joint.wanted && mayTest(now)) {
      joint.testedAt = now;
      joint.newReads = 0;
      List<StreamSummary> whole = new ArrayList<>();
      int reads = 0;
      for (Told each : told) {
        @Nullable StreamWindow window = window(each.door, key, now);
        whole.add(each.summary.recognized(each.summary.recognition(), window));
        reads += window == null ? 0 : window.size();
      }
      joint.wanted = Math.max(NEW_READS, reads);
      joint.take(StreamMerge.of(whole).recognition());
    }
    return joint.counts;
  }

  private Joint fresh(List<Told> told) {
    Joint joint = new Joint();
    for (Told each : told) {
      @Nullable Kept kept = windows.get(new Place(each.door, each.summary.key()));
      joint.newReads += kept == null ? 0 : kept.window.size();
    }
    return joint;
  }

  private @Nullable StreamWindow window(String door, String key, long now) {
    @Nullable Kept kept = windows.get(new Place(door, key));
    return kept == null ? null : kept.window.after(Math.max(0, now - kept.at) / NANOS_PER_SECOND);
  }

  private boolean mayTest(long now) {
    if (second == Long.MIN_VALUE || now - second >= AGAIN_NANOS) {
      second = now;
      tests = 0;
    }
    return tests++ < MOST_TESTS;
  }

  /** Returns for how many streams of single doors reads are kept. */
  int kept() {
    return windows.size();
  }
}
