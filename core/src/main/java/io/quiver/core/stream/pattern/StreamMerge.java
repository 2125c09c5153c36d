package io.quiver.core.stream.pattern;

import io.quiver.core.bound.Bounds;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Puts together what several doors tell of one stream.
 *
 * <p>The pattern: windows under one indexing and one population are put together by age and
 * recognised again, so that a scan of which each door sees every eighth item is whole again. Ranks
 * among seen names mean something at one door only; such windows are not put together. What is
 * recognised of them together counts instead of what their doors recognised. If doors or groups
 * still contradict each other, the pattern of most reads per second wins; if these are equal, that
 * of most reads in windows; then skewed before random before sequential, as the first does least
 * harm to the others. Doors that recognised nothing do not count.
 *
 * <p>The numbers: rates, readers, windows and advices add up. The share of reads from the store is
 * weighted by rate, the times of reads by the rate of such reads. The largest number of items and
 * of bytes counts, as each door may have seen a part, and the longest lease. The stream is idle
 * since the last read of any door. The closest readers of a door tell the bytes between two.
 *
 * <p>The order of the doors never matters.
 */
public final class StreamMerge {
  private static final double MOST_READS = 1e9;
  private static final PatternTests TESTS = new PatternTests(StreamRules.STANDARD);

  /** Orders summaries of one stream by all their values. */
  private static final Comparator<StreamSummary> CANONICAL =
      Comparator.comparingDouble(StreamSummary::readsPerSecond)
          .thenComparingLong(StreamSummary::windows)
          .thenComparingLong(StreamSummary::items)
          .thenComparingLong(StreamSummary::bytes)
          .thenComparingInt(StreamSummary::readers)
          .thenComparingDouble(StreamSummary::storeShare)
          .thenComparingDouble(StreamSummary::cacheSeconds)
          .thenComparingDouble(StreamSummary::storeSeconds)
          .thenComparingDouble(StreamSummary::idleSeconds)
          .thenComparing(StreamMerge::recognitionText)
          .thenComparing(StreamMerge::compareWindows);

  private StreamMerge() {}

  /** Returns the summary of all; there is one at least, and all have one key. */
  public static StreamSummary of(List<StreamSummary> doors) {
    if (doors.size() == 1) {
      return doors.getFirst();
    }
    List<StreamSummary> sorted = new ArrayList<>(doors);
    sorted.sort(CANONICAL);
    StreamSummary first = sorted.getFirst();
    return new StreamSummary(
        first.key(),
        label(sorted),
        recognition(sorted),
        sum(sorted, StreamSummary::windows, Bounds.MAX_COUNT),
        most(sorted, StreamSummary::items),
        most(sorted, StreamSummary::bytes),
        (int) sum(sorted, StreamSummary::readers, Integer.MAX_VALUE),
        Math.min(MOST_READS, sorted.stream().mapToDouble(StreamSummary::readsPerSecond).sum()),
        mean(sorted, any -> true, StreamSummary::storeShare, StreamSummary::readsPerSecond),
        mean(
            sorted,
            door -> door.cacheSeconds() > 0,
            StreamSummary::cacheSeconds,
            door -> door.readsPerSecond() * (1 - door.storeShare())),
        mean(
            sorted,
            door -> door.storeSeconds() > 0,
            StreamSummary::storeSeconds,
            door -> door.readsPerSecond() * door.storeShare()),
        sorted.stream().mapToDouble(StreamSummary::idleSeconds).min().orElseThrow(),
        sorted.stream().mapToDouble(StreamSummary::leaseSeconds).max().orElseThrow(),
        sorted.stream().mapToDouble(StreamSummary::quietSeconds).max().orElseThrow(),
        sorted.stream()
            .mapToLong(StreamSummary::followBytes)
            .filter(bytes -> bytes > 0)
            .min()
            .orElse(0),
        sum(sorted, StreamSummary::advised, Bounds.MAX_COUNT),
        sum(sorted, StreamSummary::used, Bounds.MAX_COUNT),
        null);
  }

  private static String label(List<StreamSummary> doors) {
    return doors.stream()
        .map(StreamSummary::label)
        .filter(label -> !label.isEmpty())
        .min(Comparator.naturalOrder())
        .orElse("");
  }

  /** Returns a sum that is no larger than a bound; each value is within it. */
  private static long sum(
      List<StreamSummary> doors, ToLongFunction<StreamSummary> value, long bound) {
    long sum = 0;
    for (StreamSummary door : doors) {
      sum = Math.min(bound, sum + value.applyAsLong(door));
    }
    return sum;
  }

  private static long most(List<StreamSummary> doors, ToLongFunction<StreamSummary> value) {
    return doors.stream().mapToLong(value).max().orElseThrow();
  }

  /** Returns the mean of known values, each door weighted by reads, or all alike without reads. */
  private static double mean(
      List<StreamSummary> doors,
      Predicate<StreamSummary> known,
      ToDoubleFunction<StreamSummary> value,
      ToDoubleFunction<StreamSummary> weight) {
    List<StreamSummary> telling = doors.stream().filter(known).toList();
    if (telling.isEmpty()) {
      return 0;
    }
    double weights = telling.stream().mapToDouble(weight).sum();
    double sum = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (StreamSummary door : telling) {
      double each = value.applyAsDouble(door);
      sum += each * (weights > 0 ? weight.applyAsDouble(door) / weights : 1.0 / telling.size());
      least = Math.min(least, each);
      most = Math.max(most, each);
    }
    return Math.clamp(sum, least, most);
  }

  /** The way in which windows number items; those that share it are put together. */
  private record Numbering(StreamWindow.Indexing indexing, int population) {}

  private static Recognition recognition(List<StreamSummary> doors) {
    Map<Numbering, List<StreamSummary>> groups =
        new TreeMap<>(
            Comparator.comparing(Numbering::indexing).thenComparingInt(Numbering::population));
    List<Opinion> opinions = new ArrayList<>();
    for (StreamSummary door : doors) {
      StreamWindow window = door.window();
      if (window == null || window.indexing() == StreamWindow.Indexing.SEEN) {
        opinions.add(Opinion.of(door));
      } else {
        groups
            .computeIfAbsent(
                new Numbering(window.indexing(), window.population()), any -> new ArrayList<>())
            .add(door);
      }
    }
    groups.values().forEach(group -> opinions.addAll(opinions(group)));
    return Opinion.strongest(opinions);
  }

  /** Returns the one opinion of doors whose windows together tell something, or that of each. */
  private static List<Opinion> opinions(List<StreamSummary> group) {
    if (group.size() > 1) {
      List<StreamWindow> windows =
          group.stream().map(StreamSummary::window).filter(Objects::nonNull).toList();
      Recognition all = TESTS.recognize(WindowMerge.of(windows));
      if (all.pattern() != AccessPattern.UNKNOWN) {
        double rate = group.stream().mapToDouble(StreamSummary::readsPerSecond).sum();
        return List.of(
            new Opinion(
                new Recognition(
                    all.pattern(),
                    Evidence.MERGED,
                    all.statistic(),
                    all.threshold(),
                    all.records()),
                rate));
      }
    }
    return group.stream().map(Opinion::of).toList();
  }

  private static String recognitionText(StreamSummary door) {
    return door.recognition().toString();
  }

  private static int compareWindows(StreamSummary one, StreamSummary other) {
    StreamWindow first = one.window();
    StreamWindow second = other.window();
    if (first == null || second == null) {
      return Boolean.compare(first != null, second != null);
    }
    int byReads = Arrays.compare(first.indices(), second.indices());
    int byAges = byReads != 0 ? byReads : Arrays.compare(first.agesMillis(), second.agesMillis());
    return byAges != 0 ? byAges : Arrays.compare(first.readers(), second.readers());
  }

  /** A pattern that a door, or several together, recognised, with the rate of their reads. */
  private record Opinion(Recognition recognition, double readsPerSecond) {
    static Opinion of(StreamSummary door) {
      return new Opinion(door.recognition(), door.readsPerSecond());
    }

    /** Returns the recognition of the pattern for which most reads speak. */
    static Recognition strongest(List<Opinion> opinions) {
      Recognition best = opinions.getFirst().recognition;
      double bestRate = -1;
      long bestRecords = -1;
      for (AccessPattern pattern : AccessPattern.values()) {
        List<Opinion> agreeing =
            opinions.stream().filter(each -> each.recognition.pattern() == pattern).toList();
        double rate = agreeing.stream().mapToDouble(Opinion::readsPerSecond).sum();
        long records = agreeing.stream().mapToLong(each -> each.recognition.records()).sum();
        boolean stronger = rate > bestRate || (rate == bestRate && records >= bestRecords);
        if (pattern != AccessPattern.UNKNOWN && !agreeing.isEmpty() && stronger) {
          best = first(agreeing);
          bestRate = rate;
          bestRecords = records;
        }
      }
      return best;
    }

    /** Returns the recognition of the most reads; that of several doors first. */
    private static Recognition first(List<Opinion> agreeing) {
      return agreeing.stream()
          .max(
              Comparator.<Opinion>comparingInt(
                      each -> each.recognition.evidence() == Evidence.MERGED ? 1 : 0)
                  .thenComparingDouble(Opinion::readsPerSecond)
                  .thenComparingInt(each -> each.recognition.records())
                  .thenComparing(each -> each.recognition.toString()))
          .orElseThrow()
          .recognition;
    }
  }
}
