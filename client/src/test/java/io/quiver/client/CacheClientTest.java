package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quiver.client.GetRequest.Verification;
import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.Wire;
import io.quiver.testkit.SeededRuns;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against real servers that are well. */
final class CacheClientTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void getsWhatWasPutInTheOrderAsked(int count) {
    SeededRuns.run(
        2,
        random -> {
          try (RunningServers servers = RunningServers.inMemory(count);
              CacheClient client = client(servers)) {
            List<Blob> blobs = TestBlobs.some(random, 200, 20_000);
            PutAnswer put = client.put(blobs);
            assertThat(put.failures()).isEmpty();
            assertThat(put.count(Receipt.STORED)).isEqualTo(200);
            assertThat(put.allHere()).isTrue();
            Collections.shuffle(blobs, random);
            try (BlobAnswer answer = client.get(TestBlobs.hashes(blobs))) {
              assertThat(answer.failures()).isEmpty();
              assertThat(answer.hits()).isEqualTo(200);
              requireContents(answer, blobs);
            }
            assertThat(client.put(blobs).count(Receipt.ALREADY_HERE)).isEqualTo(200);
          }
        });
  }

  @Test
  void spreadsBlobsOverAllServers() {
    try (RunningServers servers = RunningServers.inMemory(3);
        CacheClient client = client(servers)) {
      client.put(TestBlobs.some(new Random(1), 300, 100));
      for (int i = 0; i < 3; i++) {
        assertThat(servers.store(i).usage().blobs()).isBetween(60L, 140L);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void findsAnyOfManyWhereverTheyAre(int count) {
    try (RunningServers servers = RunningServers.inMemory(count);
        CacheClient client = client(servers)) {
      SeededRuns.run(
          20,
          random -> {
            List<Blob> there = TestBlobs.some(random, random.nextInt(40), 1000);
            List<ContentHash> asked = new ArrayList<>(TestBlobs.hashes(there));
            asked.addAll(TestBlobs.hashes(TestBlobs.some(random, 1 + random.nextInt(40), 1000)));
            asked.removeIf(hash -> hash.equals(EMPTY));
            int available = (int) asked.stream().filter(TestBlobs.hashes(there)::contains).count();
            Collections.shuffle(asked, random);
            client.put(there);
            int want = 1 + random.nextInt(asked.size());
            try (BlobAnswer answer = client.get(GetRequest.any(want, asked))) {
              assertThat(answer.hits()).isEqualTo(Math.min(want, available));
              assertThat(answer.count(AskStatus.HIT)).isEqualTo(answer.hits());
              if (available < want) {
                assertThat(answer.count(AskStatus.SKIPPED)).isZero();
              }
            }
          });
    }
  }

  private static final ContentHash EMPTY = ContentHash.ofContent(new byte[0]);

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void agreesWithAModelOverRandomBatches(int count) {
    SeededRuns.run(
        2,
        random -> {
          try (RunningServers servers = RunningServers.inMemory(count);
              CacheClient client = client(servers)) {
            List<Blob> all = TestBlobs.some(random, 300, 3000);
            Map<ContentHash, Blob> model = new HashMap<>();
            for (int round = 0; round < 30; round++) {
              List<Blob> batch = pick(random, all);
              if (random.nextInt(3) == 0) {
                assertThat(client.put(batch).allHere()).isTrue();
                batch.forEach(blob -> model.put(blob.hash(), blob));
              } else if (random.nextBoolean()) {
                Lookup lookup = client.lookup(TestBlobs.hashes(batch), false);
                for (int i = 0; i < batch.size(); i++) {
                  boolean here = model.containsKey(batch.get(i).hash());
                  assertThat(lookup.status(i)).isEqualTo(here ? AskStatus.HIT : AskStatus.MISS);
                }
              } else {
                requireModel(client, batch, model);
              }
            }
          }
        });
  }

  private static void requireModel(
      CacheClient client, List<Blob> batch, Map<ContentHash, Blob> model) {
    try (BlobAnswer answer =
        client.get(GetRequest.all(TestBlobs.hashes(batch)).verifiedBy(Verification.SHA256))) {
      for (int i = 0; i < batch.size(); i++) {
        boolean here = model.containsKey(batch.get(i).hash());
        assertThat(answer.status(i)).isEqualTo(here ? AskStatus.HIT : AskStatus.MISS);
        if (here) {
          assertThat(answer.bytes(i)).isEqualTo(batch.get(i).content());
        }
      }
    }
  }

  private static List<Blob> pick(Random random, List<Blob> all) {
    return random.ints(1 + random.nextInt(100), 0, all.size()).mapToObj(all::get).toList();
  }

  @Test
  void handsOutClaimsAndEndsThemWithAPut() {
    try (RunningServers servers = RunningServers.inMemory(3);
        CacheClient one = CacheClient.connect(config(servers).withJob("one"));
        CacheClient other =
            CacheClient.connect(config(servers).withJob("other").withDataset("images"))) {
      List<Blob> blobs = TestBlobs.some(new Random(2), 50, 100);
      List<ContentHash> hashes = TestBlobs.hashes(blobs).stream().distinct().toList();
      Lookup mine = one.lookup(hashes, true);
      assertThat(mine.count(AskStatus.YOURS)).isEqualTo(hashes.size());
      assertThat(mine.claimLease()).isPositive();
      assertThat(other.lookup(hashes, true).count(AskStatus.PENDING)).isEqualTo(hashes.size());
      try (BlobAnswer pending = other.get(GetRequest.all(hashes).claiming())) {
        assertThat(pending.count(AskStatus.PENDING)).isEqualTo(hashes.size());
      }
      one.put(blobs);
      assertThat(other.lookup(hashes, true).count(AskStatus.HIT)).isEqualTo(hashes.size());
    }
  }

  @Test
  void takesRepeatsEmptyBlobsAndEmptyBatches() {
    try (RunningServers servers = RunningServers.inMemory(2);
        CacheClient client = client(servers)) {
      Blob empty = Blob.of(ByteBuffer.allocate(0));
      Blob full = TestBlobs.ofLength(new Random(3), 10);
      assertThat(client.put(List.of(empty, full, empty)).allHere()).isTrue();
      List<Blob> asked = List.of(full, empty, full, full, empty);
      try (BlobAnswer answer = client.get(TestBlobs.hashes(asked))) {
        requireContents(answer, asked);
        assertThat(answer.hitBytes()).isEqualTo(30);
      }
      try (BlobAnswer none = client.get(List.of())) {
        assertThat(none.size()).isZero();
      }
      assertThat(client.lookup(List.of(), true).statuses()).isEmpty();
      assertThat(client.put(List.of()).receipts()).isEmpty();
    }
  }

  @Test
  void splitsBatchesThatAreLongerThanTheWireAllows() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < Wire.MAX_BATCH + 300; i++) {
        blobs.add(Blob.of(ByteBuffer.allocate(4).putInt(0, i)));
      }
      List<Blob> there = new ArrayList<>(blobs.subList(0, 100));
      there.addAll(blobs.subList(Wire.MAX_BATCH - 50, Wire.MAX_BATCH + 50));
      assertThat(client.put(there).count(Receipt.STORED)).isEqualTo(200);
      List<ContentHash> hashes = TestBlobs.hashes(blobs);
      assertThat(client.lookup(hashes, false).count(AskStatus.HIT)).isEqualTo(200);
      try (BlobAnswer answer = client.get(hashes)) {
        assertThat(answer.hits()).isEqualTo(200);
        for (int place : new int[] {0, 99, Wire.MAX_BATCH - 1, Wire.MAX_BATCH}) {
          assertThat(answer.bytes(place)).isEqualTo(blobs.get(place).content());
        }
      }
      try (BlobAnswer answer = client.get(GetRequest.any(150, hashes))) {
        assertThat(answer.hits()).isEqualTo(150);
      }
    }
  }

  @Test
  void cutsPutsIntoOffersOfBoundedSize() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      Random random = new Random(4);
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        blobs.add(TestBlobs.ofLength(random, 3 << 20));
      }
      assertThat(client.put(blobs).allHere()).isTrue();
      assertThat(client.statistics().requests()).isEqualTo(4);
      assertThat(client.statistics().bytesSent()).isEqualTo(60L << 20);
    }
  }

  @Test
  void keepsOffersWithinTheNumberOfSpacesThatFitOne() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < 1500; i++) {
        ByteBuffer content = ByteBuffer.allocate(4).putInt(0, i);
        blobs.add(new Blob(ContentHash.ofContent(content), new SpaceId("s" + i), content));
      }
      // The server takes only so many spaces of one caller, but answers for every blob.
      assertThat(client.put(blobs).failures()).isEmpty();
      assertThat(client.statistics().requests()).isEqualTo(2);
    }
  }

  @Test
  void asksAgainForWhatTheServerDeferred() {
    try (RunningServers servers =
            RunningServers.inMemory(1, config -> config.withMaxResponseBytes(100_000));
        CacheClient client = client(servers)) {
      Random random = new Random(5);
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        blobs.add(TestBlobs.ofLength(random, 30_000));
      }
      client.put(blobs);
      long before = client.statistics().requests();
      try (BlobAnswer answer = client.get(TestBlobs.hashes(blobs))) {
        requireContents(answer, blobs);
      }
      assertThat(client.statistics().requests() - before).isEqualTo(14);
      try (BlobAnswer answer = client.get(GetRequest.any(7, TestBlobs.hashes(blobs)))) {
        assertThat(answer.hits()).isEqualTo(7);
      }
    }
  }

  @Test
  void leavesDeferredWhatItsBufferBudgetCannotHold() {
    try (RunningServers servers =
            RunningServers.inMemory(1, config -> config.withMaxResponseBytes(400_000));
        CacheClient client = CacheClient.connect(config(servers).withBufferBytes(1 << 20))) {
      Random random = new Random(6);
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        blobs.add(TestBlobs.ofLength(random, 50_000));
      }
      client.put(blobs);
      List<ContentHash> left = new ArrayList<>(TestBlobs.hashes(blobs));
      int rounds = 0;
      while (!left.isEmpty()) {
        try (BlobAnswer answer = client.get(left)) {
          assertThat(answer.hits()).isPositive();
          assertThat(answer.hits() + answer.count(AskStatus.DEFERRED)).isEqualTo(left.size());
          left = left.subList(answer.hits(), left.size());
        }
        rounds++;
      }
      assertThat(rounds).isBetween(2, 6);
    }
  }

  @Test
  void passesOnWhyABlobWasRefused() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = CacheClient.connect(config(servers).withMaxBlobBytes(1000))) {
      Random random = new Random(7);
      Blob good = TestBlobs.ofLength(random, 1000);
      Blob large = TestBlobs.ofLength(random, 1001);
      Blob wrong = new Blob(good.hash(), SpaceId.DEFAULT, ByteBuffer.allocate(3));
      PutAnswer answer = client.put(List.of(wrong, large, good));
      assertThat(answer.receipt(0)).contains(Receipt.HASH_MISMATCH);
      assertThat(answer.receipt(1)).contains(Receipt.TOO_LARGE);
      assertThat(answer.receipt(2)).contains(Receipt.STORED);
      assertThat(answer.here(0)).isFalse();
      assertThat(answer.allHere()).isFalse();
    }
  }

  @Test
  void keepsPositionsOfWhatIsPut() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      ByteBuffer content = ByteBuffer.allocate(100);
      content.position(10).limit(20);
      client.put(List.of(Blob.of(content)));
      assertThat(content.position()).isEqualTo(10);
      assertThat(content.limit()).isEqualTo(20);
      try (BlobAnswer answer = client.get(List.of(Blob.of(content).hash()))) {
        assertThat(answer.bytes(0)).isEqualTo(content);
        assertThat(answer.bytes(0).isReadOnly()).isTrue();
      }
    }
  }

  @Test
  void refusesMisuse() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      List<ContentHash> hashes = List.of(EMPTY);
      assertThatIllegalArgumentException().isThrownBy(() -> GetRequest.any(0, hashes));
      assertThatIllegalArgumentException().isThrownBy(() -> GetRequest.any(2, hashes));
      BlobAnswer answer = client.get(hashes);
      assertThatIllegalStateException()
          .isThrownBy(() -> answer.bytes(0))
          .withMessageContaining("MISS");
      client.put(List.of(Blob.of(ByteBuffer.allocate(0))));
      BlobAnswer hit = client.get(hashes);
      answer.close();
      hit.close();
      hit.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> hit.bytes(0))
          .withMessageContaining("closed");
    }
  }

  @Test
  void countsWhatItDoes() {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      List<Blob> blobs = List.of(TestBlobs.ofLength(new Random(8), 500));
      client.put(blobs);
      client.get(TestBlobs.hashes(blobs)).close();
      client.get(List.of(EMPTY)).close();
      assertThat(client.statistics())
          .isEqualTo(new ClientStatistics(3, 1, 1, 500, 500, 0, 0, 0, 1));
    }
  }

  private static void requireContents(BlobAnswer answer, List<Blob> blobs) {
    assertThat(answer.size()).isEqualTo(blobs.size());
    for (int i = 0; i < blobs.size(); i++) {
      assertThat(answer.status(i)).isEqualTo(AskStatus.HIT);
      assertThat(answer.bytes(i)).isEqualTo(blobs.get(i).content());
    }
  }

  private static CacheClient client(RunningServers servers) {
    return CacheClient.connect(config(servers));
  }

  private static ClientConfig config(RunningServers servers) {
    return ClientConfig.of(servers.uris())
        .withParanoid(true)
        .withConnectTimeout(Duration.ofSeconds(20))
        .withRequestTimeout(Duration.ofMinutes(1));
  }
}
