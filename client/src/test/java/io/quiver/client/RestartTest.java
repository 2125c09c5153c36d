package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.ServerLink;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import io.quiver.testkit.Await;
import io.quiver.testkit.LogCapture;
import io.quiver.testkit.SeededRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Servers that die and come back while they are read from. */
final class RestartTest {
  @Test
  void aDeadServerTurnsOnlyItsOwnBlobsIntoMisses() {
    SeededRuns.run(
        1,
        random -> {
          try (RunningServers servers = RunningServers.inMemory(3);
              CacheClient client = client(servers)) {
            List<Blob> blobs = TestBlobs.some(random, 200, 2000);
            client.put(blobs);
            long lost = servers.store(1).usage().blobs();
            servers.stop(1);
            List<ContentHash> distinct = TestBlobs.hashes(blobs).stream().distinct().toList();
            try (BlobAnswer answer = client.get(distinct)) {
              assertThat(answer.hits()).isEqualTo((int) (distinct.size() - lost));
              assertThat(answer.failures()).hasSize(1);
              assertThat(answer.failures().getFirst().server()).isEqualTo(servers.uris().get(1));
            }
            servers.restart(1);
            Await.until(
                "all blobs are there again", () -> hits(client, distinct) == distinct.size());
          }
        });
  }

  @Test
  void anOutageIsToldOnceAndItsEndOnce() {
    try (LogCapture log = LogCapture.warnings(ServerLink.class);
        RunningServers servers = RunningServers.inMemory(1);
        CacheClient client = client(servers)) {
      List<Blob> blobs = TestBlobs.some(new Random(7), 3, 100);
      List<ContentHash> hashes = TestBlobs.hashes(blobs);
      client.put(blobs);
      servers.stop(0);
      AtomicInteger tries = new AtomicInteger();
      Await.until(
          "the server was tried three times",
          () -> (isResting(client, hashes) ? tries.get() : tries.incrementAndGet()) >= 3);
      String name = servers.uris().getFirst().getAuthority();
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().getFirst())
          .startsWith("server " + name + " does not answer (")
          .matches(".*\\); reading from the store, next try in [0-9]+ (ms|s)");
      servers.restart(0);
      Await.until("the server answers", () -> hits(client, hashes) == hashes.size());
      assertThat(log.messages()).hasSize(2).last().isEqualTo("server " + name + " answers again");
    }
  }

  private static boolean isResting(CacheClient client, List<ContentHash> hashes) {
    try (BlobAnswer answer = client.get(hashes)) {
      return answer.failures().getFirst().kind() == FailureKind.RESTING;
    }
  }

  @Test
  void readersNeverSeeAWrongByteOrAnExceptionWhileServersComeAndGo() {
    SeededRuns.run(
        1,
        random -> {
          try (RunningServers servers = RunningServers.inMemory(3);
              CacheClient client = client(servers)) {
            List<Blob> blobs = TestBlobs.some(random, 100, 50_000);
            client.put(blobs);
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              readers.add(reader(client, blobs, new Random(random.nextLong()), over));
            }
            for (int round = 0; round < 4; round++) {
              int victim = random.nextInt(3);
              servers.stop(victim);
              servers.restart(victim);
              Await.until(
                  "all is well again", () -> hits(client, TestBlobs.hashes(blobs)) == blobs.size());
            }
            over.set(true);
            for (CompletableFuture<Integer> reader : readers) {
              assertThat(reader.get(1, TimeUnit.MINUTES)).isPositive();
            }
          }
        });
  }

  /** Reads until told to stop and returns how many hits it had; every byte is compared. */
  private static CompletableFuture<Integer> reader(
      CacheClient client, List<Blob> blobs, Random random, AtomicBoolean over) {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            int hits = 0;
            while (!over.get() || hits == 0) {
              hits += readOnce(client, blobs, random);
            }
            result.complete(hits);
          } catch (RuntimeException | AssertionError e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private static int readOnce(CacheClient client, List<Blob> blobs, Random random) {
    List<Blob> batch =
        random.ints(1 + random.nextInt(30), 0, blobs.size()).mapToObj(blobs::get).toList();
    try (BlobAnswer answer = client.get(TestBlobs.hashes(batch))) {
      for (int i = 0; i < batch.size(); i++) {
        if (answer.status(i) == AskStatus.HIT) {
          assertThat(answer.bytes(i)).isEqualTo(batch.get(i).content());
        } else {
          assertThat(answer.status(i)).isEqualTo(AskStatus.MISS);
          assertThat(answer.failures()).isNotEmpty();
        }
      }
      return answer.hits();
    }
  }

  private static int hits(CacheClient client, List<ContentHash> hashes) {
    try (BlobAnswer answer = client.get(hashes)) {
      return answer.hits();
    }
  }

  private static CacheClient client(RunningServers servers) {
    return CacheClient.connect(
        ClientConfig.of(servers.uris())
            .withParanoid(true)
            .withConnectTimeout(Duration.ofSeconds(20))
            .withRequestTimeout(Duration.ofMinutes(1)));
  }
}
