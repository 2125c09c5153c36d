package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.ListedPage;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.testkit.SeededRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd paths, jumping clocks and any mixture of calls: streams stay bounded and sensible. */
final class HostileReadsTest {
  private static final List<AccessPattern> PATTERNS = List.of(AccessPattern.values());
  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());
  private static final String[] ODD_NAMES = {
    "",
    " ",
    ".",
    "..",
    "a",
    "A",
    "ä",
    "文件",
    "\uD83D\uDE00",
    "\uD83D",
    "a\nb",
    "\u0000",
    "%00",
    "*",
    "00",
    "0",
    "9999999999",
    "-1",
    "a b",
    "\\",
    "n".repeat(255)
  };

  @Test
  void takesPathsOfFourKilobytes() {
    TestDoor door = new TestDoor();
    String deep = ("d".repeat(255) + "/").repeat(15) + "f".repeat(250);
    for (int file = 0; file < 250; file++) {
      door.read(deep + String.format("%04d", file));
      door.follow();
    }
    String directory = deep.substring(0, deep.lastIndexOf('/'));
    assertThat(door.summary(directory).recognition().pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(door.fetched).contains(deep + "0240#0");
  }

  @Test
  void cutsLabelsThatAreTooLong() {
    TestDoor door = new TestDoor();
    String deep = ("d".repeat(255) + "/").repeat(40);
    for (int file = 0; file < 250; file++) {
      door.read(deep + file);
    }
    assertThat(door.summaries()).isNotEmpty();
    assertThat(door.summaries()).allMatch(each -> each.label().length() <= 4096);
  }

  @Test
  void reportsStreamsWithControlCharactersInTheirNames() {
    TestDoor door = new TestDoor();
    for (int file = 0; file < 250; file++) {
      door.read("set\n\u0000\u0085/" + file);
    }
    assertThat(door.owners()).containsExactly("set???");
    assertThat(door.summaries().getFirst().key()).isEqualTo(TestDoor.key("set\n\u0000\u0085"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%03d", "//%03d", "a//%03d", "a/%03d/", "%03d//x", "./%03d", "/"})
  void takesPathsWithEmptyParts(String form) {
    TestDoor door = new TestDoor();
    for (int file = 0; file < 300; file++) {
      door.read(String.format(form, file));
      door.follow();
      door.placements();
    }
    assertThat(door.streams.nodes()).isBetween(1, 400);
    door.summaries();
  }

  @Test
  void aClockThatJumpsBackCountsAsNoTime() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      door.read(String.format("set/%04d", item));
    }
    door.pause(-1e6);
    for (int item = 300; item < 600; item++) {
      door.read(String.format("set/%04d", item));
    }
    StreamSummary summary = door.summary("set");
    assertThat(summary.recognition().pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(summary.idleSeconds()).isZero();
    assertThat(summary.quietSeconds()).isCloseTo(0.01, within(0.005));
    assertThat(summary.readsPerSecond()).isBetween(50.0, 200.0);
  }

  @Test
  void aClockThatJumpsForwardCountsAsAnHourAtMost() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      door.read(String.format("set/%04d", item));
    }
    door.pause(1e8);
    assertThat(door.summary("set").idleSeconds()).isCloseTo(3600, within(1.0));
    for (int item = 300; item < 1000; item++) {
      door.read(String.format("set/%04d", item));
    }
    assertThat(door.summary("set").quietSeconds()).isLessThan(3600);
    assertThat(door.summary("set").idleSeconds()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1})
  void startsAtAnyTime(long nanos) {
    AccessStreams streams = new AccessStreams(StreamRules.STANDARD, TestDoor::key);
    for (int item = 0; item < 300; item++) {
      String path = String.format("set/%04d", item);
      streams.read(new BlockAccess(path, 0, 1, 1000, 1, nanos + item * 1000L, true, 1000));
    }
    List<StreamSummary> summaries = streams.summaries(10, nanos + 1_000_000);
    assertThat(summaries.getFirst().recognition().pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(summaries.getFirst().idleSeconds()).isLessThan(1);
  }

  @Test
  void recordsOfSeveralThreadsMayBeOutOfOrder() {
    SeededRuns.run(
        3,
        random -> {
          AccessStreams streams = new AccessStreams(StreamRules.STANDARD, TestDoor::key);
          for (int item = 0; item < 1000; item++) {
            long at = item * 10_000_000L - random.nextInt(100_000_000);
            String path = String.format("set/%04d", item);
            streams.read(new BlockAccess(path, 0, 1, 1000, 1, at, true, 1000));
          }
          StreamSummary summary = streams.summaries(1, 10_000_000_000L).getFirst();
          assertThat(summary.readsPerSecond()).isBetween(80.0, 120.0);
          assertThat(summary.quietSeconds()).isLessThan(0.3);
        });
  }

  @Test
  void keepsTheListingOfAMillionFilesWithinItsBound() {
    TestDoor door = new TestDoor();
    int files = 1_000_000;
    List<String> names = TestDoor.names("ILSVRC2012_train_%08d.JPEG", files);
    door.listFiles("set", names);
    assertThat(door.streams.listingBytes()).isLessThanOrEqualTo(64 << 20);
    Random random = new Random(1);
    for (int read = 0; read < 400; read++) {
      door.read("set/" + names.get(random.nextInt(files)));
    }
    StreamSummary summary = door.summary("set");
    assertThat(summary.items()).isEqualTo(files);
    assertThat(summary.bytes()).isEqualTo((long) files * TestDoor.FILE);
    assertThat(summary.recognition().pattern()).isEqualTo(AccessPattern.RANDOM);
    int item = 500_000;
    for (int read = 0; read < 400; read++) {
      door.read("set/" + names.get(item++));
    }
    assertThat(door.follow()).contains("set/" + names.get(item) + "#0");
  }

  @Test
  void forgetsListingsBeyondTheirBound() {
    TestDoor door = new TestDoor();
    for (int directory = 0; directory < 60; directory++) {
      door.listFiles("set/" + directory, TestDoor.names("x".repeat(100) + "%08x", 20_000));
      assertThat(door.streams.listingBytes()).isLessThanOrEqualTo(64 << 20);
    }
  }

  @Test
  void advisesTheSameForTheSameCalls() {
    SeededRuns.run(
        3,
        random -> {
          long seed = random.nextLong();
          assertThat(transcript(seed, 5000)).isEqualTo(transcript(seed, 5000));
        });
  }

  @Test
  void keepsItsBoundsUnderAnyCalls() {
    SeededRuns.run(5, random -> transcript(random.nextLong(), 20_000));
  }

  /** Calls everything in a random order and returns what was advised and told. */
  private static List<Object> transcript(long seed, int calls) {
    Random random = new Random(seed);
    StreamRules rules =
        new StreamRules(
            20,
            100,
            0.01,
            50 + random.nextInt(500),
            1 + random.nextInt(1 << 20),
            random.nextInt(5),
            5 + random.nextInt(60),
            0.8,
            0.8,
            Duration.ofSeconds(60));
    AccessStreams streams = new AccessStreams(rules, TestDoor::key);
    List<Object> told = new ArrayList<>();
    List<PrefetchAdvice> open = new ArrayList<>();
    List<String> keys = new ArrayList<>(List.of("0123456789abcdef"));
    long nanos = random.nextLong();
    int item = 0;
    for (int call = 0; call < calls; call++) {
      nanos += random.nextInt(1000) == 0 ? random.nextLong() : random.nextInt(50_000_000);
      switch (random.nextInt(40)) {
        case 0 -> streams.listed(directory(random), page(random));
        case 1 -> {
          List<PrefetchAdvice> advices = streams.advise(random.nextInt(40), nanos);
          told.addAll(advices);
          open.addAll(advices);
        }
        case 2 -> {
          for (PrefetchAdvice advice : open) {
            streams.ended(advice, OUTCOMES.get(random.nextInt(OUTCOMES.size())));
          }
          open.clear();
        }
        case 3 -> streams.follow(verdicts(random, keys));
        case 4 -> {
          List<StreamSummary> summaries = streams.summaries(random.nextInt(20), nanos);
          summaries.forEach(each -> keys.add(each.key()));
          summaries.forEach(each -> told.add(each.label() + each.recognition() + each.items()));
        }
        default -> {
          boolean odd = random.nextInt(3) == 0;
          String path = odd ? odd(random) : String.format("set%d/%06d", call >> 10 & 3, item++);
          int blocks = odd ? 1 + random.nextInt(5) : 1;
          streams.read(
              new BlockAccess(
                  path,
                  random.nextInt(blocks),
                  blocks,
                  random.nextInt(1 << 22),
                  random.nextInt(4),
                  nanos,
                  random.nextBoolean(),
                  random.nextLong()));
        }
      }
      told.add(streams.placements().of("set1/x"));
      assertThat(streams.nodes()).isBetween(1, rules.mostNodes());
      assertThat(streams.treeBytes()).isBetween(0L, 8L << 20);
      assertThat(streams.listingBytes()).isBetween(0L, rules.mostListingBytes() + 4096);
    }
    return told;
  }

  private static String odd(Random random) {
    StringBuilder path = new StringBuilder(directory(random));
    return path.append('/').append(ODD_NAMES[random.nextInt(ODD_NAMES.length)]).toString();
  }

  private static String directory(Random random) {
    if (random.nextInt(4) == 0) {
      return "set" + random.nextInt(4);
    }
    List<String> names = new ArrayList<>();
    for (int depth = random.nextInt(5); depth > 0; depth--) {
      names.add(ODD_NAMES[random.nextInt(ODD_NAMES.length)]);
    }
    return String.join("/", names);
  }

  private static ListedPage page(Random random) {
    TreeSet<String> names = new TreeSet<>();
    for (int name = random.nextInt(30); name > 0; name--) {
      names.add(
          random.nextBoolean()
              ? ODD_NAMES[random.nextInt(ODD_NAMES.length)]
              : String.format("%06d", random.nextInt(2000)));
    }
    long[] bytes =
        names.stream()
            .mapToLong(any -> random.nextInt(4) == 0 ? -1 : random.nextLong(1L << 40))
            .toArray();
    return new ListedPage(List.copyOf(names), bytes, random.nextBoolean(), random.nextBoolean());
  }

  private static List<StreamVerdict> verdicts(Random random, List<String> keys) {
    List<StreamVerdict> verdicts = new ArrayList<>();
    for (int verdict = random.nextInt(4); verdict > 0; verdict--) {
      verdicts.add(
          new StreamVerdict(
              keys.get(random.nextInt(keys.size())),
              PATTERNS.get(random.nextInt(PATTERNS.size())),
              random.nextBoolean() ? null : new SpaceId("stream-" + random.nextInt(9)),
              random.nextLong(1L << 40)));
    }
    return verdicts;
  }
}
