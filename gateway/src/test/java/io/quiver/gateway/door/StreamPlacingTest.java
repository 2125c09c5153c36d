package io.quiver.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.BlobAnswer;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.stream.AheadReader;
import io.quiver.gateway.door.stream.StreamCounts;
import io.quiver.gateway.door.testing.Gate;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.ToldCache;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Doors over real servers place and read ahead blocks as the streams they belong to call for. */
@Timeout(120)
final class StreamPlacingTest {
  private static final SpaceId SPACE = new SpaceId("stream-space");
  private static final int BYTES = 1000;
  private static final int FILES = 400;

  /** Reads after which doors know a stream that a plan speaks of. */
  private static final int KNOWN = 20;

  /** Reads after which two windows have agreed. */
  private static final int RECOGNISED = 210;

  @TempDir private Path folder;
  private WatchedStore store;

  @BeforeEach
  void write() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < FILES; i++) {
      TestFiles.write(folder, name(i), random, BYTES);
    }
    TestFiles.write(folder, "other/file", random, BYTES);
    store = new WatchedStore(FileStore.open(folder));
  }

  private static String name(int number) {
    return "d/" + String.format(Locale.ROOT, "%04d", number);
  }

  private static DoorConfig config() {
    return TestDoors.config().withBlocks(new BlockBounds(TestDoors.BLOCK, 64L << 20, 0, 16));
  }

  private static void read(Door door, String name) throws IOException {
    read(door.open(name));
  }

  private static void read(OpenObject opened) throws IOException {
    try (OpenObject object = opened) {
      object.readBy(7);
      assertThat(TestFiles.read(object, 0, BYTES)).hasSize(BYTES);
    }
  }

  private static void list(Door door) throws IOException {
    ListingRequest request = ListingRequest.folder("d/");
    while (request != null) {
      ListingPage page = door.list(request);
      request = page.next() == null ? null : request.after(page.next());
    }
  }

  private static StreamCounts counts(Door door) {
    return door.statistics().streams();
  }

  /** Returns the blocks in a space: each is a blob and the record of its name. */
  private static long blocks(TestDoors doors, SpaceId space) {
    long blobs = 0;
    for (int i = 0; i < 2; i++) {
      blobs +=
          doors.servers().store(i).spaces().stream()
              .filter(each -> each.space().equals(space))
              .mapToLong(each -> each.blobs())
              .sum();
    }
    return blobs / 2;
  }

  private boolean isInserted(TestDoors doors, String name) throws IOException {
    ContentHash hash = ContentHash.ofContent(Files.readAllBytes(folder.resolve(name)));
    try (DoorCache cache = doors.cache("look");
        BlobAnswer answer = cache.blobs().get(List.of(hash))) {
      return answer.hits() == 1;
    }
  }

  @Test
  void sequentialBlocksAreReadAheadAndNeverInserted() throws Exception {
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(config(), store, doors.cache("door"))) {
      list(door);
      for (int i = 0; i < RECOGNISED; i++) {
        read(door, name(i));
      }
      Await.until("two windows agree", () -> counts(door).records() == RECOGNISED);
      for (int i = RECOGNISED; i < FILES; i++) {
        read(door, name(i));
      }
      read(door, "other/file");
      int ahead = StreamRules.STANDARD.mostDepth();
      Await.until("the file of no stream is inserted", () -> isInserted(doors, "other/file"));
      assertThat(door.statistics().blocks().inserted()).isLessThanOrEqualTo(RECOGNISED + ahead + 1);
      Await.until("reads ahead were used", () -> counts(door).prefetch().used() > 50);
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
    }
  }

  @Test
  void aSecondReaderOfASequentialStreamReadsFromTheMemoryOfTheDoor() throws Exception {
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(config(), store, doors.cache("door"))) {
      list(door);
      for (int i = 0; i < 200; i++) {
        read(door, name(i));
        if (i >= 10) {
          read(door, name(i - 10));
        }
      }
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
    }
  }

  @Test
  void aStreamsBlocksGoIntoItsOwnSpaceOrNowhereAsThePlanSays() throws Exception {
    try (TestDoors doors = new TestDoors()) {
      try (ToldCache cache = new ToldCache(doors.cache("door"), config());
          CachedDoor door = CachedDoor.open(config(), store, cache)) {
        list(door);
        for (int i = 0; i < KNOWN; i++) {
          read(door, name(i));
        }
        Await.until("the stream is known", () -> counts(door).records() == KNOWN);
        Await.until("all is inserted", () -> blocks(doors, SpaceId.DEFAULT) == KNOWN);
        cache.tell("d", AccessPattern.SKEWED, SPACE, BYTES * FILES);
        read(door, name(100));
        Await.until("it is inserted", () -> blocks(doors, SPACE) == 1);
        cache.tell("d", AccessPattern.SEQUENTIAL, null, 0);
        read(door, name(200));
      }
      assertThat(isInserted(doors, name(200))).isFalse();
      assertThat(blocks(doors, SpaceId.DEFAULT)).isEqualTo(KNOWN);
      assertThat(blocks(doors, SPACE)).isEqualTo(1);
    }
  }

  @Test
  void twoDoorsThatReadAheadOfTheSameScanReadEachBlockOnce() throws Exception {
    try (TestDoors doors = new TestDoors();
        ToldCache oneCache = new ToldCache(doors.cache("one"), config());
        ToldCache twoCache = new ToldCache(doors.cache("two"), config());
        CachedDoor one = CachedDoor.open(config(), store, oneCache);
        CachedDoor two = CachedDoor.open(config(), store, twoCache);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      list(one);
      list(two);
      // A reader follows another closely, says the plan: blocks go into the small space of both.
      for (Door door : List.of(one, two)) {
        read(door.open(door.stat(name(0))));
      }
      Await.until("paths are known", () -> counts(one).records() + counts(two).records() == 2);
      for (ToldCache cache : List.of(oneCache, twoCache)) {
        cache.tell("d", AccessPattern.SEQUENTIAL, SPACE, BYTES * FILES);
      }
      List<Callable<Void>> readers = new ArrayList<>();
      for (Door door : List.of(one, two)) {
        readers.add(() -> {
          for (int i = 1; i < FILES; i++) {
            read(door.open(door.stat(name(i))));
          }
          return null;
        });
      }
      for (Future<Void> reader : threads.invokeAll(readers)) {
        reader.get();
      }
      assertThat(counts(one).prefetch().begun() + counts(two).prefetch().begun()).isPositive();
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
    }
  }

  @Test
  void aRandomStreamThatFitsIsFilledAndEachBlockIsReadOnce() throws Exception {
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config());
        CachedDoor door = CachedDoor.open(config(), store, cache)) {
      list(door);
      Random random = new Random(3);
      for (int i = 0; i < 120; i++) {
        read(door, name(random.nextInt(FILES)));
      }
      Await.until("all is learned", () -> counts(door).records() == 120);
      cache.tell("d", AccessPattern.RANDOM, SPACE, BYTES * FILES);
      Await.until(
          "everything is in the cache",
          () -> blocks(doors, SPACE) + blocks(doors, SpaceId.DEFAULT) >= FILES);
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
      assertThat(counts(door).prefetch().filled()).isGreaterThan(100);
    }
  }

  @Test
  void fillingEndsWhenTheQuotaFalls() throws Exception {
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config());
        CachedDoor door = CachedDoor.open(config(), store, cache)) {
      list(door);
      Random random = new Random(3);
      for (int i = 0; i < 120; i++) {
        read(door, name(random.nextInt(FILES)));
      }
      Await.until("all is learned", () -> counts(door).records() == 120);
      int before = store.reads();
      Gate gate = new Gate();
      store.beforeRead((name, position) -> gate.pass());
      cache.tell("d", AccessPattern.RANDOM, SPACE, BYTES * FILES);
      gate.awaitVisitor();
      cache.tell("d", AccessPattern.RANDOM, SPACE, BYTES * FILES / 2);
      gate.open();
      read(door, "other/file");
      Await.until("all is learned", () -> counts(door).records() == 121);
      Await.until("fills have ended", () -> door.statistics().storeReads() == store.reads());
      assertThat(store.reads() - before - 1).isBetween(1, 2 * AheadReader.MOST_FILLS);
    }
  }

  @Test
  void withoutStreamsNothingIsRecognisedAndEverythingIsShared() throws Exception {
    DoorConfig off = config().withStreams(Optional.empty());
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), off);
        CachedDoor door = CachedDoor.open(off, store, cache)) {
      list(door);
      for (int i = 0; i < 200; i++) {
        read(door, name(i));
      }
      Await.until("all is inserted", () -> blocks(doors, SpaceId.DEFAULT) == 200);
      assertThat(counts(door)).isEqualTo(StreamCounts.NONE);
      assertThat(cache.summaries()).isEmpty();
    }
  }

  @Test
  void aColdOpenCountsAsAReadThatWaitedForTheStore() throws Exception {
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config());
        CachedDoor door = CachedDoor.open(config(), store, cache)) {
      List<Integer> files = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
      Collections.shuffle(files, new Random(5));
      for (int i = 0; i < 150; i++) {
        read(door, name(files.get(i)));
      }
      Await.until("all is learned", () -> counts(door).records() == 150);
      StreamSummary stream =
          cache.summaries().stream()
              .filter(each -> each.label().endsWith("/d"))
              .findFirst()
              .orElseThrow();
      assertThat(stream.storeShare()).isEqualTo(1);
      assertThat(stream.storeSeconds()).isPositive();
    }
  }
}
