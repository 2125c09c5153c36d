package io.quiver.gateway.door.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.name.BlockNames;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.block.BlockCounters.Of;
import io.quiver.gateway.door.block.BlockReader;
import io.quiver.gateway.door.block.FirstBlocks;
import io.quiver.gateway.door.block.HandleReadAhead;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.GuardedCache;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.testing.Gate;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Advice followed through the blocks of a real store. */
@Timeout(120)
final class AheadReaderTest {
  private static final int BLOCK = TestDoors.BLOCK;
  private static final int MEMORY_BLOCKS = 64;

  @TempDir private Path folder;
  private WatchedStore store;
  private final Map<String, RemoteObject> known = new ConcurrentHashMap<>();
  private final Set<String> opening = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<PrefetchAdvice> failed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger filled = new AtomicInteger();

  @BeforeEach
  void open() throws IOException {
    store = new WatchedStore(FileStore.open(folder));
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** The objects of a test: those it knows, and those the store knows. */
  private final class StoreObjects implements AheadReader.Objects, FirstBlocks {
    @Override
    public Optional<RemoteObject> known(String path) {
      return Optional.ofNullable(known.get(path));
    }

    @Override
    public boolean isBeingOpened(String path) {
      return opening.contains(path);
    }

    @Override
    public RemoteObject ask(String path) throws IOException {
      return store.details(path).object();
    }

    @Override
    public ObjectBlocks cut(RemoteObject object) {
      return ObjectBlocks.of(object, BLOCK, "a handle");
    }

    @Override
    public InputStream open(RemoteObject object, int length) throws IOException {
      return store.open(object, 0, length);
    }

    @Override
    public void found(RemoteObject object) {}
  }

  private BlockReader blocks(DoorCache cache) {
    return new BlockReader(
        store,
        new GuardedCache(cache, Duration.ofSeconds(1), System::nanoTime),
        new BlockReader.Naming(
            new BlockNames("a key of the namespace".getBytes(StandardCharsets.UTF_8)), "store"),
        new BlockReader.Items(object -> Optional.empty(), object -> {}),
        BlockReader.Streams.NONE,
        new StoreObjects(),
        new BlockBounds(BLOCK, (long) MEMORY_BLOCKS * BLOCK, 0, 16),
        System::nanoTime);
  }

  private AheadReader reader(BlockReader blocks) {
    return new AheadReader(
        blocks,
        new StoreObjects(),
        new AdviceEnds() {
          @Override
          public void failed(PrefetchAdvice advice) {
            failed.add(advice);
          }

          @Override
          public void filled() {
            filled.incrementAndGet();
          }
        });
  }

  private byte[] write(String name, int blocks) throws IOException {
    return TestFiles.write(folder, name, new Random(name.hashCode()), blocks * BLOCK);
  }

  private RemoteObject learn(String name) throws IOException {
    RemoteObject object = store.details(name).object();
    known.put(name, object);
    return object;
  }

  private static PrefetchAdvice ahead(String path, int block) {
    return new PrefetchAdvice(path, block, Purpose.AHEAD);
  }

  private static PrefetchAdvice fill(String path, int block) {
    return new PrefetchAdvice(path, block, Purpose.FILL);
  }

  private static byte[] read(BlockReader blocks, RemoteObject object, int block)
      throws IOException {
    ObjectBlocks file = ObjectBlocks.of(object, BLOCK, "");
    HandleReadAhead handle = blocks.watch(file);
    ByteBuffer target = ByteBuffer.allocate(BLOCK);
    blocks.read(file, handle, (long) block * BLOCK, target);
    handle.close();
    return target.array();
  }

  @Test
  void blocksThatWereAdvisedCostTheirReaderNoReadOfTheStore() throws Exception {
    byte[] content = write("file", 3);
    try (BlockReader blocks = blocks(new NoCache())) {
      RemoteObject object = learn("file");
      AheadReader reader = reader(blocks);
      for (int block = 0; block < 3; block++) {
        assertThat(reader.take(ahead("file", block))).isEqualTo(Outcome.FETCHED);
        assertThat(reader.take(ahead("file", block))).isEqualTo(Outcome.HELD);
      }
      for (int block = 0; block < 3; block++) {
        assertThat(read(blocks, object, block))
            .isEqualTo(TestFiles.part(content, (long) block * BLOCK, BLOCK));
      }
      assertThat(store.reads()).isEqualTo(3);
      assertThat(blocks.wastedAhead()).isZero();
      assertThat(failed).isEmpty();
    }
  }

  @Test
  void theVersionOfAnUnknownObjectIsAskedForFirst() throws Exception {
    byte[] content = write("file", 2);
    try (BlockReader blocks = blocks(new NoCache())) {
      assertThat(reader(blocks).take(ahead("file", 1))).isEqualTo(Outcome.FETCHED);
      Await.until("the block is read", () -> store.reads() == 1);
      assertThat(store.details()).isEqualTo(1);
      assertThat(read(blocks, learn("file"), 1)).isEqualTo(TestFiles.part(content, BLOCK, BLOCK));
      assertThat(store.reads()).isEqualTo(1);
    }
  }

  @Test
  void theFirstBlockOfAnObjectThatIsBeingOpenedIsNotReadTwice() throws Exception {
    write("file", 2);
    try (BlockReader blocks = blocks(new NoCache())) {
      learn("file");
      opening.add("file");
      AheadReader reader = reader(blocks);
      assertThat(reader.take(ahead("file", 0))).isEqualTo(Outcome.HELD);
      assertThat(reader.take(ahead("file", 1))).isEqualTo(Outcome.FETCHED);
      opening.clear();
      assertThat(reader.take(ahead("file", 0))).isEqualTo(Outcome.FETCHED);
      Await.until("both are read", () -> store.reads() == 2);
    }
  }

  @Test
  void objectsThatVanishedOrChangedFail() throws Exception {
    write("vanished", 1);
    write("changed", 1);
    try (BlockReader blocks = blocks(new NoCache())) {
      learn("vanished");
      RemoteObject before = learn("changed");
      Files.delete(folder.resolve("vanished"));
      byte[] after = write("changed", 2);
      AheadReader reader = reader(blocks);
      List<PrefetchAdvice> advice =
          List.of(ahead("vanished", 0), ahead("changed", 0), ahead("never", 0));
      advice.forEach(each -> assertThat(reader.take(each)).isEqualTo(Outcome.FETCHED));
      Await.until("all have failed", () -> failed.size() == 3);
      assertThat(failed).containsExactlyInAnyOrderElementsOf(advice);
      RemoteObject now = learn("changed");
      assertThat(now).isNotEqualTo(before);
      assertThat(read(blocks, now, 0)).isEqualTo(TestFiles.part(after, 0, BLOCK));
    }
  }

  @Test
  void adviceThatCannotBeFollowedFailsAtOnce() throws Exception {
    write("file", 2);
    try (BlockReader blocks = blocks(new NoCache())) {
      RemoteObject object = learn("file");
      known.put("unversioned", new RemoteObject("unversioned", 10, ""));
      known.put("empty", new RemoteObject("empty", 0, "v"));
      AheadReader reader = reader(blocks);
      assertThat(object.size()).isEqualTo(2 * BLOCK);
      assertThat(reader.take(ahead("file", 2))).isEqualTo(Outcome.FAILED);
      assertThat(reader.take(ahead("unversioned", 0))).isEqualTo(Outcome.FAILED);
      assertThat(reader.take(ahead("empty", 0))).isEqualTo(Outcome.FAILED);
      assertThat(store.reads()).isZero();
    }
  }

  @Test
  void questionsForVersionsAreBounded() throws Exception {
    Gate gate = new Gate();
    store.beforeDetails((name, position) -> gate.pass());
    try (BlockReader blocks = blocks(new NoCache())) {
      AheadReader reader = reader(blocks);
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        outcomes.add(reader.take(ahead("f" + i, 0)));
      }
      assertThat(outcomes).filteredOn(Outcome.FETCHED::equals).hasSize(AheadReader.MOST_QUESTIONS);
      assertThat(outcomes).filteredOn(Outcome.DROPPED::equals).hasSize(68);
      Await.until("all ask", () -> store.details() == AheadReader.MOST_QUESTIONS);
      gate.open();
      Await.until("none is there", () -> failed.size() == AheadReader.MOST_QUESTIONS);
      assertThat(reader.take(ahead("f", 0))).isEqualTo(Outcome.FETCHED);
    }
  }

  @Test
  void blocksReadAheadTakeNoMoreThanHalfOfTheMemory() throws Exception {
    write("file", 100);
    Gate gate = new Gate();
    store.beforeRead((name, position) -> gate.pass());
    try (BlockReader blocks = blocks(new NoCache())) {
      learn("file");
      AheadReader reader = reader(blocks);
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        outcomes.add(reader.take(ahead("file", i)));
      }
      assertThat(outcomes).filteredOn(Outcome.FETCHED::equals).hasSize(MEMORY_BLOCKS / 2);
      assertThat(outcomes).filteredOn(Outcome.DROPPED::equals).hasSize(100 - MEMORY_BLOCKS / 2);
      assertThat(blocks.memoryBytes()).isLessThanOrEqualTo((long) MEMORY_BLOCKS / 2 * BLOCK);
      gate.open();
    }
  }

  @Test
  void theCacheIsFilledAFewBlocksAtATimeAndMoreOnceTheStoreAnswersFast() throws Exception {
    write("file", 20);
    Gate filling = new Gate();
    store.beforeRead((name, position) -> filling.pass());
    try (TestDoors doors = new TestDoors();
        BlockReader blocks = blocks(doors.cache("door"))) {
      learn("file");
      AheadReader reader = reader(blocks);
      int first = reader.fillRoom();
      assertThat(first).isBetween(1, AheadReader.MOST_FILLS / 2);
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        outcomes.add(reader.take(fill("file", i)));
      }
      assertThat(outcomes).filteredOn(Outcome.FETCHED::equals).hasSize(first);
      assertThat(outcomes).filteredOn(Outcome.DROPPED::equals).hasSize(20 - first);
      assertThat(reader.fillRoom()).isZero();
      filling.open();
      for (int i = first; i < 20; i++) {
        int block = i;
        Await.until("there is a place", () -> reader.take(fill("file", block)) != Outcome.DROPPED);
      }
      Await.until("all is read", () -> filled.get() == 20);
      Await.until(
          "all is in the cache, but for what found its queue full",
          () ->
              blocks.counters().get(Of.INSERTED_BLOCKS) + blocks.counters().get(Of.NOT_INSERTED)
                  == 20);
      assertThat(blocks.counters().get(Of.INSERTED_BLOCKS)).isGreaterThan(10);
      assertThat(blocks.wastedAhead()).as("no reader was promised anything").isZero();
      Await.until("memory is for readers", () -> blocks.memoryBytes() <= 64 << 10);
    }
  }

  @Test
  void nothingIsReadForACacheThatIsNotThere() throws Exception {
    write("file", 1);
    try (BlockReader blocks = blocks(new NoCache())) {
      learn("file");
      assertThat(reader(blocks).take(fill("file", 0))).isEqualTo(Outcome.DROPPED);
      assertThat(store.reads()).isZero();
    }
  }
}
