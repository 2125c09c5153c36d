package io.quiver.core.stream.tree;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.ListedPage;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamPlacements;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A door to a made-up store: programs read and list as tests tell, time passes with each read, and
 * all advice is followed.
 */
final class TestDoor {
  /** The length of a block. */
  static final int BLOCK = 4 << 20;

  /** The length of a file of one block. */
  static final int FILE = 100_000;

  private static final int PAGE = 1000;
  private static final int MOST_FILLS = 4;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  final AccessStreams streams;
  final Set<String> fetched = new LinkedHashSet<>();
  final Set<String> read = new LinkedHashSet<>();
  private long nanos = 50 * NANOS_PER_SECOND;
  private long gapNanos = 10_000_000;
  private long reader = 1;
  private boolean prompt;

  TestDoor() {
    this(StreamRules.STANDARD);
  }

  TestDoor(StreamRules rules) {
    streams = new AccessStreams(rules, TestDoor::key);
  }

  /** Returns the hashed name of a path. */
  static String key(String path) {
    return String.format("%016x", 0x9E3779B97F4A7C15L * (path.hashCode() + 1L));
  }

  /** Returns names with a number of several digits each. */
  static List<String> names(String form, int count) {
    return IntStream.range(0, count).mapToObj(i -> String.format(form, i)).toList();
  }

  /** Sets the time between two reads. */
  TestDoor every(double seconds) {
    gapNanos = (long) (seconds * NANOS_PER_SECOND);
    return this;
  }

  /** Has what is read ahead at hand before programs ask for it; else they wait for it. */
  TestDoor prompt() {
    prompt = true;
    return this;
  }

  /** Lets time pass. */
  TestDoor pause(double seconds) {
    nanos += (long) (seconds * NANOS_PER_SECOND);
    return this;
  }

  long now() {
    return nanos;
  }

  /** Makes the reads that follow those of another reader. */
  TestDoor by(long who) {
    reader = who;
    return this;
  }

  /** Has a program read a file of one block. */
  void read(String path) {
    read(path, 0, 1);
  }

  /** Has a program read a block of a file of several. */
  void read(String path, int block, int blocks) {
    nanos += gapNanos;
    read.add(path + "#" + block);
    streams.read(access(path, block, blocks, nanos));
  }

  BlockAccess access(String path, int block, int blocks, long at) {
    int bytes = blocks == 1 ? FILE : BLOCK;
    boolean late = !prompt || !fetched.contains(path + "#" + block);
    return new BlockAccess(path, block, blocks, bytes, reader, at, late, 1_000_000);
  }

  /** Has a program read files of one block each in some order. */
  void readAll(IntFunction<String> path, int[] order) {
    for (int item : order) {
      read(path.apply(item));
    }
  }

  /** Has a program list a directory of files. */
  void listFiles(String directory, List<String> names) {
    list(directory, names, FILE);
  }

  /** Has a program list a directory of directories. */
  void listDirectories(String directory, List<String> names) {
    list(directory, names, -1);
  }

  /** Has a program list a directory page by page. */
  void list(String directory, List<String> names, long bytes) {
    for (int from = 0; from == 0 || from < names.size(); from += PAGE) {
      int to = Math.min(from + PAGE, names.size());
      long[] lengths = Collections.nCopies(to - from, bytes).stream().mapToLong(b -> b).toArray();
      streams.listed(
          directory,
          new ListedPage(names.subList(from, to), lengths, from == 0, to == names.size()));
    }
  }

  /** Takes what is advised now and reads it from the store; returns it as path and block. */
  List<String> follow() {
    return follow(Outcome.FETCHED);
  }

  /** Takes what is advised now, which ends in some way. */
  List<String> follow(Outcome outcome) {
    List<String> blocks = new ArrayList<>();
    for (PrefetchAdvice advice : advices()) {
      blocks.add(advice.path() + "#" + advice.block());
      streams.ended(advice, outcome);
    }
    fetched.addAll(blocks);
    return blocks;
  }

  List<PrefetchAdvice> advices() {
    return streams.advise(1 << 20, MOST_FILLS, nanos);
  }

  /** Returns what is advised now for idle times, as path and block. */
  List<String> fills() {
    List<String> blocks = new ArrayList<>();
    for (PrefetchAdvice advice : advices()) {
      if (advice.purpose() == Purpose.FILL) {
        blocks.add(advice.path() + "#" + advice.block());
      }
      streams.ended(advice, Outcome.FETCHED);
    }
    return blocks;
  }

  /** Returns what was read ahead and never read. */
  Set<String> wasted() {
    Set<String> wasted = new LinkedHashSet<>(fetched);
    wasted.removeAll(read);
    return wasted;
  }

  List<StreamSummary> summaries() {
    return streams.summaries(1000, nanos);
  }

  /** Returns the paths of the streams that may own a quota. */
  List<String> owners() {
    return summaries().stream().map(StreamSummary::label).sorted().toList();
  }

  /** Returns the summary of a stream that may own a quota. */
  StreamSummary summary(String path) {
    List<StreamSummary> all = summaries();
    @Nullable StreamSummary found =
        all.stream().filter(each -> each.label().equals(path)).findFirst().orElse(null);
    if (found == null) {
      throw new AssertionError(
          path + " is none of " + all.stream().map(StreamSummary::label).toList());
    }
    return found;
  }

  /** Tells the streams what the plan says of one of them. */
  void plan(StreamVerdict... verdicts) {
    streams.follow(List.of(verdicts));
  }

  StreamPlacements placements() {
    return streams.placements();
  }
}
