package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.NamedBlocks.NameLookup;
import io.quiver.client.testing.Frames;
import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.BlockNames;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.ResolvedFrame;
import io.quiver.protocol.Wire;
import io.quiver.testkit.HostileServer;
import io.quiver.testkit.SeededRuns;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Names of blocks and parts of blobs, asked of real servers. */
final class NamedBlocksTest {
  private static final SpaceId SPACE = new SpaceId("stream-1");
  private static final BlockNames NAMES =
      new BlockNames("a namespace key of some length".getBytes(StandardCharsets.US_ASCII));

  @Test
  void namesThatOneDoorBindsAreResolvedByAnother() {
    SeededRuns.run(
        3,
        random -> {
          List<Blob> blobs = TestBlobs.some(random, 500, 1000);
          List<NameBinding> bindings = bindings(blobs);
          try (RunningServers servers = RunningServers.inMemory(3);
              CacheClient first = door(servers, "door-1");
              CacheClient second = door(servers, "door-2")) {
            assertThat(first.bind(SPACE, bindings, 0)).hasSize(500).containsOnly(true);
            NameLookup found = second.resolve(names(bindings), true);
            assertThat(found.statuses()).containsOnly(AskStatus.HIT);
            assertThat(found.bindings()).isEqualTo(bindings.stream().map(Optional::of).toList());
            assertThat(found.claimLease()).isZero();
            assertThat(found.failures()).isEmpty();
          }
        });
  }

  @Test
  void theLastBindingOfANameCounts() {
    List<Blob> blobs = TestBlobs.some(new Random(1), 2, 1000);
    BlockName name = name(0);
    try (RunningServers servers = RunningServers.inMemory(2);
        CacheClient door = door(servers, "door-1")) {
      NameBinding last = binding(name, blobs.get(1));
      assertThat(door.bind(SPACE, List.of(binding(name, blobs.get(0)), last), 0))
          .containsExactly(true, true);
      assertThat(door.resolve(List.of(name), false).bindings()).containsExactly(Optional.of(last));
    }
  }

  @Test
  void ofManyDoorsThatAskForANameOneClaimsIt() throws Exception {
    int doors = 12;
    List<BlockName> names = names(bindings(TestBlobs.some(new Random(2), 200, 10)));
    try (RunningServers servers = RunningServers.inMemory(2);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      CyclicBarrier start = new CyclicBarrier(doors);
      Map<BlockName, Integer> claimed = new ConcurrentHashMap<>();
      List<Future<NameLookup>> lookups = new ArrayList<>();
      for (int door = 0; door < doors; door++) {
        String job = "door-" + door;
        lookups.add(
            threads.submit(() -> {
              try (CacheClient client = door(servers, job)) {
                start.await();
                return client.resolve(names, true);
              }
            }));
      }
      for (Future<NameLookup> lookup : lookups) {
        List<AskStatus> statuses = lookup.get().statuses();
        assertThat(statuses).containsAnyOf(AskStatus.YOURS, AskStatus.PENDING);
        for (int i = 0; i < names.size(); i++) {
          assertThat(statuses.get(i)).isIn(AskStatus.YOURS, AskStatus.PENDING);
          if (statuses.get(i) == AskStatus.YOURS) {
            claimed.merge(names.get(i), 1, Integer::sum);
          }
        }
        boolean any = statuses.contains(AskStatus.YOURS);
        assertThat(lookup.get().claimLease().isPositive()).isEqualTo(any);
      }
      assertThat(claimed).hasSize(names.size()).containsValue(1).doesNotContainValue(2);
    }
  }

  @Test
  void bindingEndsTheClaimAndTheOthersFindTheBlock() {
    Blob blob = TestBlobs.ofLength(new Random(3), 700);
    NameBinding binding = binding(name(7), blob);
    List<BlockName> names = List.of(binding.name());
    try (RunningServers servers = RunningServers.inMemory(2);
        CacheClient first = door(servers, "door-1");
        CacheClient second = door(servers, "door-2")) {
      assertThat(first.resolve(names, true).statuses()).containsExactly(AskStatus.YOURS);
      assertThat(second.resolve(names, true).statuses()).containsExactly(AskStatus.PENDING);
      assertThat(second.resolve(names, false).statuses()).containsExactly(AskStatus.MISS);
      first.put(List.of(blob));
      assertThat(first.bind(SPACE, List.of(binding), 0)).containsExactly(true);
      NameLookup found = second.resolve(names, true);
      assertThat(found.bindings()).containsExactly(Optional.of(binding));
      try (BlobAnswer part = second.read(List.of(new BlobPart(blob.hash(), 100, 600)))) {
        assertThat(part.bytes(0)).isEqualTo(blob.content().slice(100, 600));
      }
    }
  }

  @Test
  void aNameWhoseBlobIsGoneIsHarmless() {
    Blob blob = TestBlobs.ofLength(new Random(4), 700);
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient door = door(servers, "door-1")) {
      NameBinding binding = binding(name(1), blob);
      door.put(List.of(new Blob(blob.hash(), SPACE, blob.content())));
      door.bind(new SpaceId("other"), List.of(binding), 0);
      servers.store(0).drop(SPACE);
      assertThat(door.resolve(List.of(binding.name()), true).statuses())
          .containsExactly(AskStatus.HIT);
      try (BlobAnswer gone = door.read(List.of(new BlobPart(blob.hash(), 0, 1)))) {
        assertThat(gone.status(0)).isEqualTo(AskStatus.MISS);
      }
      assertThat(door.lookup(List.of(blob.hash()), true).status(0)).isEqualTo(AskStatus.YOURS);
    }
  }

  @Test
  void partsAreTheBytesAskedForAndNothingElse() {
    SeededRuns.run(
        3,
        random -> {
          List<Blob> blobs = new ArrayList<>(TestBlobs.some(random, 60, 40_000));
          blobs.add(TestBlobs.ofLength(random, 0));
          try (RunningServers servers = RunningServers.inMemory(3);
              CacheClient door = door(servers, "door-1")) {
            door.put(blobs);
            requireParts(door, blobs, random);
          }
        });
  }

  static void requireParts(CacheClient door, List<Blob> blobs, Random random) {
    List<BlobPart> parts = new ArrayList<>();
    List<Optional<ByteBuffer>> expected = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Blob blob = blobs.get(random.nextInt(blobs.size()));
      int size = blob.content().remaining();
      int offset = random.nextInt(4) == 0 ? 0 : random.nextInt(size + 2);
      int length = random.nextInt(4) == 0 ? Math.max(1, size - offset) : 1 + random.nextInt(9000);
      parts.add(new BlobPart(blob.hash(), offset, length));
      expected.add(
          offset + length <= size
              ? Optional.of(blob.content().slice(offset, length))
              : Optional.empty());
    }
    parts.add(new BlobPart(blobs.getFirst().hash(), Long.MAX_VALUE, Integer.MAX_VALUE));
    expected.add(Optional.empty());
    try (BlobAnswer answer = door.read(parts)) {
      assertThat(answer.failures()).isEmpty();
      assertThat(answer.size()).isEqualTo(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        boolean here = expected.get(i).isPresent();
        assertThat(answer.status(i)).isEqualTo(here ? AskStatus.HIT : AskStatus.MISS);
        if (here) {
          assertThat(answer.bytes(i)).isEqualTo(expected.get(i).get());
          assertThat(answer.bytes(i).isDirect()).isTrue();
        }
      }
    }
  }

  @Test
  void partsThatExceedOneAnswerComeInSeveral() {
    Blob blob = TestBlobs.ofLength(new Random(5), 100_000);
    List<BlobPart> parts = Collections.nCopies(40, new BlobPart(blob.hash(), 5, 90_000));
    try (RunningServers servers =
            RunningServers.inMemory(1, config -> config.withMaxResponseBytes(200_000));
        CacheClient door = door(servers, "door-1")) {
      door.put(List.of(blob));
      long before = door.statistics().requests();
      try (BlobAnswer answer = door.read(parts)) {
        assertThat(answer.hits()).isEqualTo(40);
        assertThat(answer.bytes(39)).isEqualTo(blob.content().slice(5, 90_000));
      }
      assertThat(door.statistics().requests() - before).isEqualTo(20);
    }
  }

  @Test
  void nothingAskedIsNothingAnswered() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient door = door(servers, "door-1");
        BlobAnswer parts = door.read(List.of())) {
      assertThat(parts.size()).isZero();
      assertThat(door.resolve(List.of(), true).statuses()).isEmpty();
      assertThat(door.bind(SPACE, List.of(), 0)).isEmpty();
    }
  }

  @Test
  void moreNamesThanOneFrameTakesAreSplit() {
    Blob blob = TestBlobs.ofLength(new Random(6), 10);
    List<NameBinding> bindings = new ArrayList<>();
    for (int i = 0; i < Wire.MAX_BATCH + 1000; i++) {
      bindings.add(binding(name(i), blob));
    }
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient door = door(servers, "door-1")) {
      assertThat(door.bind(SPACE, bindings, 0)).containsOnly(true);
      assertThat(door.resolve(names(bindings), false).statuses()).containsOnly(AskStatus.HIT);
    }
  }

  @Test
  void namesAndPartsOfAServerThatDiedAreMissesAndItsBindingsAreLost() {
    List<Blob> blobs = TestBlobs.some(new Random(7), 200, 1000);
    List<NameBinding> bindings = bindings(blobs);
    try (RunningServers servers = RunningServers.inMemory(3);
        CacheClient door = door(servers, "door-1")) {
      door.put(blobs);
      assertThat(door.bind(SPACE, bindings, 0)).containsOnly(true);
      servers.stop(1);
      NameLookup found = door.resolve(names(bindings), true);
      assertThat(found.failures()).hasSize(1);
      assertThat(found.statuses()).contains(AskStatus.HIT, AskStatus.MISS);
      assertThat(found.statuses()).containsOnly(AskStatus.HIT, AskStatus.MISS);
      List<Boolean> bound = door.bind(SPACE, bindings, 0);
      for (int i = 0; i < bindings.size(); i++) {
        boolean here = found.statuses().get(i) == AskStatus.HIT;
        assertThat(bound.get(i)).isEqualTo(here);
        assertThat(found.bindings().get(i).isPresent()).isEqualTo(here);
      }
      List<BlobPart> parts =
          blobs.stream()
              .filter(blob -> blob.content().remaining() > 0)
              .map(blob -> new BlobPart(blob.hash(), 0, 1))
              .toList();
      try (BlobAnswer answer = door.read(parts)) {
        assertThat(answer.failures()).hasSize(1);
        assertThat(answer.count(AskStatus.HIT)).isBetween(1, parts.size() - 1);
        assertThat(answer.count(AskStatus.HIT) + answer.count(AskStatus.MISS))
            .isEqualTo(parts.size());
      }
    }
  }

  @Test
  void aPartOfAnotherLengthOrWithoutItsChecksumIsAMiss() {
    byte[] content = "some bytes".getBytes(StandardCharsets.US_ASCII);
    BlobPart four = new BlobPart(ContentHash.ofContent(content), 0, 4);
    BlobPart ten = new BlobPart(ContentHash.ofContent(content), 0, 10);
    try (HostileServer server = answering(Frames.hits(1, content, 0));
        CacheClient first = door(List.of(server.uri()), "door-1");
        CacheClient second = door(List.of(server.uri()), "door-2");
        BlobAnswer longer = first.read(List.of(four));
        BlobAnswer right = second.read(List.of(ten))) {
      assertThat(longer.status(0)).isEqualTo(AskStatus.MISS);
      assertThat(longer.failures().getFirst().kind()).isEqualTo(FailureKind.PROTOCOL);
      assertThat(longer.failures().getFirst().reason()).contains("4 were asked for");
      assertThat(right.bytes(0)).isEqualTo(ByteBuffer.wrap(content));
    }
    try (HostileServer server = answering(Frames.hits(1, content, 1));
        CacheClient door = door(List.of(server.uri()), "door-1");
        BlobAnswer damaged = door.read(List.of(ten))) {
      assertThat(damaged.status(0)).isEqualTo(AskStatus.MISS);
      assertThat(door.statistics().mismatches()).isEqualTo(2);
    }
  }

  @Test
  void answersForNamesThatWereChangedOnTheWayAreNeverMoreThanWrongBindings() {
    NameBinding bound = binding(name(1), TestBlobs.ofLength(new Random(8), 10));
    ResolvedFrame frame =
        new ResolvedFrame(
            List.of(ResolvedFrame.Row.bound(bound), ResolvedFrame.Row.unbound(AskStatus.YOURS)));
    ByteBuffer right = ByteBuffer.allocate(frame.bytes());
    frame.write(right);
    AtomicReference<ByteBuffer> next = new AtomicReference<>(right.flip());
    HostileServer.Script script =
        conversation -> {
          while (true) {
            conversation.request();
            conversation.answer(next.get().duplicate());
          }
        };
    try (HostileServer server = new HostileServer(script)) {
      SeededRuns.run(
          100,
          random -> {
            ByteBuffer changed = ByteBuffer.wrap(right.array().clone());
            for (int i = random.nextInt(4); i >= 0; i--) {
              changed.put(random.nextInt(changed.limit()), (byte) random.nextInt());
            }
            next.set(changed.limit(changed.limit() - random.nextInt(2)));
            try (CacheClient door = door(List.of(server.uri()), "door-1")) {
              NameLookup found = door.resolve(List.of(bound.name(), name(2)), true);
              for (int i = 0; i < 2; i++) {
                assertThat(found.bindings().get(i).isPresent())
                    .isEqualTo(found.statuses().get(i) == AskStatus.HIT);
              }
              assertThat(found.failures().isEmpty() || !found.statuses().contains(AskStatus.HIT))
                  .isTrue();
            }
          });
    }
  }

  private static HostileServer answering(ByteBuffer body) {
    return new HostileServer(conversation -> {
      while (true) {
        conversation.request();
        conversation.answer(body.duplicate());
      }
    });
  }

  private static CacheClient door(RunningServers servers, String job) {
    return door(servers.uris(), job);
  }

  private static CacheClient door(List<URI> servers, String job) {
    return CacheClient.connect(
        ClientConfig.of(servers)
            .withJob(job)
            .withParanoid(true)
            .withConnectTimeout(Duration.ofSeconds(20))
            .withRequestTimeout(Duration.ofMinutes(1)));
  }

  private static BlockName name(int block) {
    return NAMES.of("s3://bucket", "some/object", "etag", 4 << 20, block);
  }

  static List<NameBinding> bindings(List<Blob> blobs) {
    List<NameBinding> bindings = new ArrayList<>();
    for (Blob blob : blobs) {
      bindings.add(binding(name(bindings.size()), blob));
    }
    return bindings;
  }

  private static NameBinding binding(BlockName name, Blob blob) {
    return new NameBinding(name, blob.hash(), blob.content().remaining());
  }

  static List<BlockName> names(List<NameBinding> bindings) {
    return bindings.stream().map(NameBinding::name).toList();
  }
}
