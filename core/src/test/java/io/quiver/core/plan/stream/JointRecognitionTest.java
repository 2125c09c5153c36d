package io.quiver.core.plan.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which pattern doors tell together when each of them sees a part of a stream. */
final class JointRecognitionTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int ITEMS = 20_000;
  private static final int READS = 10;

  private final JointRecognition joint = new JointRecognition();
  private long now = 100 * SECOND;

  private static DoorReport report(String door, List<StreamSummary> streams) {
    return new DoorReport(door, door, 1, "", 0, 0, 0, 0, 0, 0, false, streams);
  }

  private static StreamSummary summary(int key, AccessPattern told, @Nullable StreamWindow window) {
    Recognition recognition = new Recognition(told, Evidence.GAPS, 0.1, 0.2, 100);
    String name = String.format(Locale.ROOT, "%032x", key);
    return new StreamSummary(
        name, "", recognition, 3, ITEMS, 1, 1, READS, 0.5, 0.001, 0.03, 0, 80, 20, 0, 0, 0, window);
  }

  /** Returns the reads of one door in one second. */
  private static StreamWindow window(int size, IntUnaryOperator item) {
    int[] indices = new int[size];
    int[] readers = new int[size];
    int[] ages = new int[size];
    for (int read = 0; read < size; read++) {
      indices[read] = item.applyAsInt(read);
      ages[read] = 1000 - 1000 * (read + 1) / size;
    }
    return new StreamWindow(Indexing.LISTED, ITEMS, indices, readers, ages);
  }

  /** Has every door tell a second's reads; returns what they tell together then. */
  private Recognition second(int doors, AccessPattern told, DoorReads reads) {
    List<Observed<DoorReport>> reports = new ArrayList<>();
    now += SECOND;
    for (int door = 0; door < doors; door++) {
      int at = door;
      StreamWindow window = window(READS, read -> reads.item(at, read));
      DoorReport report = report("door-" + door, List.of(summary(1, told, window)));
      joint.note(report, now);
      reports.add(new Observed<>(report.withoutReads(), now));
    }
    List<Recognition> all =
        joint.agreed(reports, now).stream()
            .map(each -> each.report().streams().getFirst().recognition())
            .distinct()
            .toList();
    assertThat(all).as("doors tell the same").hasSize(1);
    return all.getFirst();
  }

  /** The item that a door reads as its n-th in a second. */
  private interface DoorReads {
    int item(int door, int read);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16})
  void aScanThatIsDealtToDoorsIsSequential(int doors) {
    Recognition told = Recognition.NONE;
    for (int second = 0; second < 12; second++) {
      int from = second * READS * doors;
      told = second(doors, AccessPattern.RANDOM, (door, read) -> from + read * doors + door);
    }
    assertThat(told.pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(told.evidence()).isEqualTo(Evidence.MERGED);
  }

  @Test
  void aSlowScanIsRecognisedAfterAsManyReadsAsTwoWindowsHave() {
    // Ten reads a second at two doors: no second alone tells anything, and two tests must agree.
    for (int second = 0; second < 9; second++) {
      int from = second * READS * 2;
      assertThat(second(2, AccessPattern.UNKNOWN, (door, read) -> from + 2 * read + door).pattern())
          .as("after %d reads", 20 * (second + 1))
          .isEqualTo(AccessPattern.UNKNOWN);
    }
    int from = 9 * READS * 2;
    assertThat(second(2, AccessPattern.UNKNOWN, (door, read) -> from + 2 * read + door).pattern())
        .isEqualTo(AccessPattern.SEQUENTIAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void whatEachDoorDrawsAnewIsRandom(int doors) {
    int[] told = {0, 0};
    SeededRuns.run(
        20,
        random -> {
          JointRecognitionTest one = new JointRecognitionTest();
          AccessPattern alone = doors == 1 ? AccessPattern.RANDOM : AccessPattern.UNKNOWN;
          for (int second = 0; second < 40; second++) {
            Recognition seen = one.second(doors, alone, (door, read) -> random.nextInt(ITEMS));
            told[0] += seen.pattern() == AccessPattern.UNKNOWN ? 0 : 1;
            told[1] += seen.pattern() == AccessPattern.RANDOM ? 1 : 0;
          }
          assertThat(told[0]).isPositive();
        });
    // One test in a hundred is wrong, and two in a row hardly ever are.
    assertThat(told[1]).as("of %d", told[0]).isGreaterThanOrEqualTo(told[0] * 95 / 100);
  }

  @Test
  void oneOddTestChangesNothing() {
    Random random = new Random(3);
    for (int second = 0; second < 12; second++) {
      second(16, AccessPattern.UNKNOWN, (door, read) -> random.nextInt(ITEMS));
    }
    Recognition odd = second(16, AccessPattern.UNKNOWN, (door, read) -> random.nextInt(12));
    assertThat(odd.pattern()).as("once").isEqualTo(AccessPattern.RANDOM);
    for (int second = 0; second < 30; second++) {
      odd = second(16, AccessPattern.UNKNOWN, (door, read) -> random.nextInt(12));
    }
    assertThat(odd.pattern()).as("again and again").isEqualTo(AccessPattern.SKEWED);
  }

  @Test
  void aDoorAloneKeepsItsOwnOpinion() {
    for (int second = 0; second < 20; second++) {
      int from = second * READS;
      assertThat(second(1, AccessPattern.SKEWED, (door, read) -> from + read).pattern())
          .isEqualTo(AccessPattern.SKEWED);
    }
  }

  @Test
  void whatADoorToldGoesWithItsReport() {
    second(3, AccessPattern.RANDOM, (door, read) -> read);
    assertThat(joint.kept()).isEqualTo(3);
    joint.agreed(List.of(), now);
    assertThat(joint.kept()).isZero();
  }

  @Test
  void floodsOfStreamsAreBounded() {
    List<Observed<DoorReport>> reports = new ArrayList<>();
    for (int door = 0; door < 50; door++) {
      List<StreamSummary> streams = new ArrayList<>();
      for (int i = 0; i < DoorReport.MOST_STREAMS; i++) {
        int key = door * DoorReport.MOST_STREAMS + i;
        streams.add(summary(key, AccessPattern.RANDOM, window(READS, read -> read)));
      }
      DoorReport report = report("door-" + door, streams);
      joint.note(report, now);
      reports.add(new Observed<>(report.withoutReads(), now));
    }
    assertThat(joint.kept()).isEqualTo(JointRecognition.MOST_WINDOWS);
    assertThat(joint.agreed(reports, now)).hasSize(50);
  }

  @Test
  void noReadsThatADoorMayTellStopTheManager() {
    SeededRuns.run(
        50,
        random -> {
          JointRecognition any = new JointRecognition();
          long time = 0;
          for (int step = 0; step < 20; step++) {
            time += random.nextInt(3) * SECOND;
            List<Observed<DoorReport>> reports = new ArrayList<>();
            for (int door = 0; door < 3; door++) {
              DoorReport report =
                  report("d" + door, List.of(summary(1, AccessPattern.RANDOM, any(random))));
              any.note(report, time);
              reports.add(new Observed<>(report.withoutReads(), time));
            }
            assertThat(any.agreed(reports, time)).hasSize(3);
          }
        });
  }

  private static @Nullable StreamWindow any(Random random) {
    if (random.nextInt(5) == 0) {
      return null;
    }
    int size = random.nextInt(StreamWindow.MOST_SENT + 1);
    int most = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(50);
    int[] indices = random.ints(size, 0, most).toArray();
    int[] readers = random.ints(size, 0, random.nextBoolean() ? Integer.MAX_VALUE : 3).toArray();
    int[] ages = random.ints(size, 0, random.nextBoolean() ? Integer.MAX_VALUE : 1000).toArray();
    Indexing rule = random.nextBoolean() ? Indexing.LISTED : Indexing.NAMED;
    int population = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(3) * 50;
    return new StreamWindow(rule, population, indices, readers, ages);
  }
}
