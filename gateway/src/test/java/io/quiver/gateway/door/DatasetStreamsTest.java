package io.quiver.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.Blob;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.StreamSummary;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.KnownItems;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.ToldCache;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stream over the items of a digest is a job of its data set. */
@Timeout(120)
final class DatasetStreamsTest {
  private static final int ITEMS = 400;
  private static final int BYTES = 500;
  private static final int CHUNKS = 4;

  @TempDir private Path folder;
  private WatchedStore store;
  private KnownItems items;
  private DatasetKey key;
  private final List<byte[]> contents = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    Random random = new Random(1);
    DigestEncoder encoder = new DigestEncoder();
    for (int i = 0; i < ITEMS; i++) {
      byte[] content = TestFiles.write(folder, name(i), random, BYTES);
      contents.add(content);
      encoder.add(DigestItem.whole(ContentHash.ofContent(content), BYTES, name(i)));
    }
    for (int i = 0; i < 20; i++) {
      TestFiles.write(folder, "images/label" + i, random, BYTES);
    }
    DatasetDigest digest = DatasetDigest.open(encoder.encode());
    key = DatasetKey.of(digest.identity());
    items = new KnownItems(digest, "", Instant.now().plusSeconds(100));
    store = new WatchedStore(FileStore.open(folder));
  }

  private static String name(int number) {
    return "images/" + number;
  }

  private static void read(Door door, String name) throws IOException {
    try (OpenObject object = door.open(name)) {
      assertThat(TestFiles.read(object, 0, BYTES)).hasSize(BYTES);
    }
  }

  private static void readShuffled(Door door, int reads, long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < reads; i++) {
      read(door, name(random.nextInt(ITEMS)));
    }
  }

  private static StreamSummary stream(ToldCache cache) {
    return cache.summaries().stream()
        .filter(each -> each.label().endsWith("/images"))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitRecords(Door door, int records) {
    Await.until("all is learned", () -> door.statistics().streams().records() == records);
  }

  @Test
  void aStreamOfItemsNamesItsDataSetAndAFewOtherReadsDoNoHarm() throws Exception {
    DoorConfig config = TestDoors.config().withItems(items);
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config);
        CachedDoor door = CachedDoor.open(config, store, cache)) {
      readShuffled(door, 300, 1);
      awaitRecords(door, 300);
      assertThat(stream(cache).dataset()).isEqualTo(key.text());
      read(door, "images/label0");
      awaitRecords(door, 301);
      assertThat(stream(cache).dataset()).isEqualTo(key.text());
      for (int i = 1; i < 20; i++) {
        read(door, "images/label" + i);
      }
      awaitRecords(door, 320);
      assertThat(stream(cache).dataset()).as("too many are no items").isNull();
    }
  }

  @Test
  void withoutADigestNoStreamHasADataSet() throws Exception {
    DoorConfig config = TestDoors.config();
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config);
        CachedDoor door = CachedDoor.open(config, store, cache)) {
      readShuffled(door, 200, 1);
      awaitRecords(door, 200);
      assertThat(stream(cache).dataset()).isNull();
    }
  }

  private static long blobs(TestDoors doors, SpaceId space) {
    return IntStream.range(0, 2)
        .mapToObj(doors.servers()::store)
        .flatMap(each -> each.spaces().stream())
        .filter(each -> each.space().equals(space))
        .mapToLong(each -> each.blobs())
        .sum();
  }

  @Test
  void itemsGoIntoTheSpacesOfTheChunksThatAreHeld() throws Exception {
    DoorConfig config = TestDoors.config().withItems(items);
    DatasetPlan plan =
        new DatasetPlan(
            key,
            ITEMS,
            (long) ITEMS * BYTES,
            CHUNKS,
            false,
            List.of(new ChunkEntry(1, 1, ChunkRole.PINNED, ChunkState.LOADING)));
    ChunkLayout layout = new ChunkLayout(ITEMS, CHUNKS);
    int held = layout.member(1, 0);
    int other = layout.member(2, 0);
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config);
        CachedDoor door = CachedDoor.open(config, store, cache)) {
      cache.tell(plan);
      read(door, name(held));
      read(door, name(other));
      Await.until("the item is in its chunk", () -> blobs(doors, plan.space(1)) > 0);
      Await.until("the other is with all others", () -> blobs(doors, SpaceId.DEFAULT) > 0);
      try (DoorCache loader = doors.cache("loader");
          var answer = loader.blobs().get(List.of(ContentHash.ofContent(contents.get(held))))) {
        assertThat(answer.hits()).as("loaders find it by its hash").isEqualTo(1);
      }
    }
  }

  @Test
  void itemsThatLoadersHaveBroughtAreReadWithoutTheStore() throws Exception {
    DoorConfig config = TestDoors.config().withItems(items);
    try (TestDoors doors = new TestDoors();
        ToldCache cache = new ToldCache(doors.cache("door"), config)) {
      try (DoorCache loader = doors.cache("loader")) {
        List<Blob> blobs =
            contents.stream().map(content -> Blob.of(ByteBuffer.wrap(content))).toList();
        assertThat(loader.blobs().put(blobs).allHere()).isTrue();
      }
      try (CachedDoor door = CachedDoor.open(config, store, cache)) {
        readShuffled(door, 300, 2);
        assertThat(store.reads()).isZero();
        awaitRecords(door, 300);
        assertThat(stream(cache).dataset()).isEqualTo(key.text());
      }
    }
  }
}
