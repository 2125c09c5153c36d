package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.cli.StreamCluster.CountedDoor;
import io.quiver.core.stream.AccessPattern;
import io.quiver.remote.s3.S3TestServer;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doors over a real S3 service recognise streams together, through a real manager and server. */
@Timeout(300)
final class StreamsOfManyDoorsTest {
  /** Reads of each door before the plan is looked at. */
  private static final int READS = 130;

  /** Reads of a door that is alone: two of its windows have to agree. */
  private static final int READS_ALONE = 210;

  /** More reads by a program after the plan has spoken. */
  private static final int MORE = 40;

  @TempDir private Path folder;
  private S3TestServer s3;
  private StreamCluster cluster;

  @BeforeEach
  void start() throws Exception {
    s3 = S3TestServer.start();
    cluster = new StreamCluster(folder);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    s3.close();
  }

  private static String name(int number) {
    return "scan/" + String.format(Locale.ROOT, "%05d", number);
  }

  private void write(int files) {
    IntStream.range(0, files)
        .parallel()
        .forEach(i -> s3.put("data/" + name(i), ("object " + i).getBytes(StandardCharsets.UTF_8)));
  }

  private List<CountedDoor> open(int doors) throws IOException {
    List<CountedDoor> opened = new ArrayList<>();
    for (int i = 0; i < doors; i++) {
      opened.add(cluster.door("door-" + i, s3.store("data/")));
    }
    return opened;
  }

  private interface Reading {
    void of(CountedDoor door, int shard) throws Exception;
  }

  private static void readRandomly(CountedDoor door, int files, int reads, long seed)
      throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < reads; i++) {
      door.read(name(random.nextInt(files)), 7);
    }
  }

  private static void together(List<CountedDoor> doors, Reading reading) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Void>> programs = new ArrayList<>();
      for (int i = 0; i < doors.size(); i++) {
        int shard = i;
        programs.add(() -> {
          reading.of(doors.get(shard), shard);
          return null;
        });
      }
      for (Future<Void> program : threads.invokeAll(programs)) {
        program.get();
      }
    }
  }

  private static long fetched(List<CountedDoor> doors) {
    return doors.stream().mapToLong(each -> each.store().counts().opens()).sum();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void aScanThatIsDealtToDoorsIsRecognisedAndNothingIsFetchedTwice(int count) throws Exception {
    int reads = count == 1 ? READS_ALONE : READS;
    int files = count * (reads + MORE);
    write(files);
    List<CountedDoor> doors = open(count);
    try {
      together(
          doors,
          (door, shard) -> {
            door.list("scan/");
            for (int i = 0; i < reads; i++) {
              door.read(name(i * count + shard), 7);
            }
          });
      awaitSequential();
      assertThat(cluster.manager().plan().streams()).hasSize(1);
      doors.forEach(cluster::awaitFollowed);
      List<Long> inserted = doors.stream().map(StreamsOfManyDoorsTest::inserted).toList();
      together(
          doors,
          (door, shard) -> {
            for (int i = reads; i < reads + MORE; i++) {
              door.read(name(i * count + shard), 7);
            }
          });
      assertThat(fetched(doors)).isEqualTo(files);
      assertThat(doors)
          .allSatisfy(door ->
              assertThat(door.door().statistics().streams().prefetch().used()).isPositive());
      assertThat(doors.stream().map(StreamsOfManyDoorsTest::inserted).toList())
          .as("nothing is inserted any more")
          .isEqualTo(inserted);
    } finally {
      doors.forEach(CountedDoor::close);
    }
  }

  /** Waits until nothing waits to be inserted; returns how much was. */
  private static long inserted(CountedDoor door) {
    var before = new long[] {-1};
    Await.until(
        "inserts have ended",
        () -> {
          var blocks = door.door().statistics().blocks();
          long all = blocks.inserted() + blocks.notInserted();
          boolean steady = all == before[0];
          before[0] = all;
          return steady;
        });
    return before[0];
  }

  private void awaitSequential() {
    Await.until(
        "the manager sees one sequential stream",
        () ->
            cluster.order().filter(each -> each.pattern() == AccessPattern.SEQUENTIAL).isPresent());
  }

  @Test
  void aDoorThatIsStartedAgainTakesThePlansWordAboutAStream() throws Exception {
    write(450);
    try (CountedDoor other = cluster.door("other", s3.store("data/"))) {
      for (int i = 0; i < 250; i++) {
        other.read(name(i), 7);
      }
      awaitSequential();
      cluster.door("door", s3.store("data/")).close();
      try (CountedDoor again = cluster.door("door", s3.store("data/"))) {
        for (int i = 250; i < 300; i++) {
          again.read(name(i), 7);
        }
        Await.until("all is learned", () -> again.door().statistics().streams().records() == 50);
        long before = inserted(again);
        for (int i = 300; i < 390; i++) {
          again.read(name(i), 7);
        }
        assertThat(inserted(again)).as("fewer reads than its own two windows").isEqualTo(before);
      }
    }
  }

  @Test
  void withoutAManagerDoorsGoOnByThemselves() throws Exception {
    write(400);
    try (CountedDoor door = cluster.door("door", s3.store("data/"))) {
      door.list("scan/");
      int port = cluster.stopManager();
      for (int i = 0; i < 400; i++) {
        door.read(name(i), 7);
      }
      assertThat(door.store().counts().opens()).isEqualTo(400);
      Await.until(
          "blocks were read ahead",
          () -> door.door().statistics().streams().prefetch().used() > 100);
      cluster.startManager(port);
      awaitSequential();
    }
  }

  @Test
  void doorsThatSeeDifferentPatternsGetOneWord() throws Exception {
    write(300);
    List<CountedDoor> doors = open(2);
    try {
      Set<AccessPattern> told = new HashSet<>();
      together(
          doors,
          (door, shard) -> {
            door.list("scan/");
            for (int round = 0; round < 3; round++) {
              if (shard == 0) {
                for (int i = 0; i < 300; i++) {
                  door.read(name(i), 7);
                }
              } else {
                readRandomly(door, 300, 300, round);
              }
            }
          });
      Await.until("the manager has decided", () -> cluster.order().isPresent());
      doors.forEach(cluster::awaitFollowed);
      for (CountedDoor door : doors) {
        cluster.awaitFollowed(door);
        told.add(cluster.order().orElseThrow().pattern());
      }
      assertThat(cluster.manager().plan().streams()).hasSize(1);
      assertThat(told).hasSize(1).doesNotContain(AccessPattern.UNKNOWN);
      assertThat(doors)
          .allSatisfy(each -> {
            assertThat(each.door().statistics().streams().failures()).isZero();
            assertThat(each.door().statistics().streams().dropped()).isZero();
          });
    } finally {
      doors.forEach(CountedDoor::close);
    }
  }
}
