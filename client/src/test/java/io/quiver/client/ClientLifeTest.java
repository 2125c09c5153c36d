package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import io.quiver.testkit.Await;
import io.quiver.testkit.HostileServer;
import io.quiver.testkit.Leaks;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Checks that nothing is left after a client is closed. */
final class ClientLifeTest {
  private static final ContentHash HASH = ContentHash.ofContent(new byte[] {1});

  @Test
  void leavesNoSocketsAndNoThreadsBehind() {
    try (RunningServers servers = RunningServers.inMemory(3)) {
      List<Blob> blobs = TestBlobs.some(new Random(1), 100, 10_000);
      // The first use opens what the platform keeps for itself.
      useOnce(servers, blobs);
      Await.until("the servers let go", () -> Leaks.threads() == 0);
      long before = settledSockets();
      for (int i = 0; i < 5; i++) {
        useOnce(servers, blobs);
      }
      assertThat(Leaks.threads()).isZero();
      Await.until("the sockets are closed", () -> Leaks.sockets() <= before);
    }
  }

  /** Returns the number of open sockets once the servers have closed their ends too. */
  private static long settledSockets() {
    long[] last = {-1};
    int[] same = {0};
    Await.until(
        "the number of sockets stands still",
        () -> {
          long now = Leaks.sockets();
          same[0] = now == last[0] ? same[0] + 1 : 0;
          last[0] = now;
          return same[0] > 100;
        });
    return last[0];
  }

  private static void useOnce(RunningServers servers, List<Blob> blobs) {
    try (CacheClient client = connect(servers.uris())) {
      client.put(blobs);
      client.get(TestBlobs.hashes(blobs)).close();
    }
  }

  @Test
  void usesNoMoreConnectionsThanAllowed() throws Exception {
    try (RunningServers servers = RunningServers.inMemory(1);
        CacheClient client =
            CacheClient.connect(
                ClientConfig.of(servers.uris()).withParanoid(true).withConnectionsPerServer(2))) {
      List<Blob> blobs = TestBlobs.some(new Random(2), 100, 10_000);
      client.put(blobs);
      List<CompletableFuture<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        calls.add(inThread(() -> hits(client, TestBlobs.hashes(blobs))));
      }
      for (CompletableFuture<Integer> call : calls) {
        assertThat(call.get(1, TimeUnit.MINUTES)).isEqualTo(100);
      }
      assertThat(client.statistics().connectionsOpened()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void closingEndsCallsUnderWay() throws Exception {
    try (HostileServer server =
        new HostileServer(c -> {
          c.request();
          c.silence();
        })) {
      CacheClient client = connect(List.of(server.uri()));
      List<CompletableFuture<FailureKind>> calls = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        calls.add(inThread(() -> failure(client)));
      }
      Await.until("all calls are under way", () -> server.requests() == 3);
      client.close();
      for (CompletableFuture<FailureKind> call : calls) {
        assertThat(call.get(1, TimeUnit.MINUTES)).isEqualTo(FailureKind.CLOSED);
      }
      assertThatIllegalStateException().isThrownBy(() -> client.get(List.of(HASH)));
      assertThatIllegalStateException().isThrownBy(() -> client.lookup(List.of(HASH), false));
      assertThatIllegalStateException().isThrownBy(() -> client.put(List.of()));
      client.close();
    }
  }

  @Test
  void closingEndsTheWaitForARetry() throws Exception {
    try (HostileServer server =
        new HostileServer(c -> {
          c.request();
          c.send("HTTP/1.1 503 Busy\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n");
        })) {
      CacheClient client = connect(List.of(server.uri()));
      CompletableFuture<FailureKind> call = inThread(() -> failure(client));
      Await.until("the call waits", () -> server.requests() == 1);
      client.close();
      assertThat(call.get(5, TimeUnit.SECONDS)).isEqualTo(FailureKind.CLOSED);
    }
  }

  @Test
  void closingEndsTheWaitForBuffers() throws Exception {
    try (RunningServers servers = RunningServers.inMemory(1)) {
      CacheClient client =
          CacheClient.connect(
              ClientConfig.of(servers.uris())
                  .withBufferBytes(1 << 20)
                  .withRequestTimeout(Duration.ofSeconds(30)));
      Blob blob = TestBlobs.ofLength(new Random(5), 900_000);
      client.put(List.of(blob));
      try (BlobAnswer whole = client.get(List.of(blob.hash()))) {
        assertThat(whole.hits()).isEqualTo(1);
        long before = client.statistics().requests();
        CompletableFuture<Integer> call = inThread(() -> hits(client, List.of(blob.hash())));
        Await.until("the call is under way", () -> client.statistics().requests() > before);
        client.close();
        assertThat(call.get(4, TimeUnit.SECONDS)).isZero();
      }
    }
  }

  @Test
  void interruptionEndsACallAndKeepsTheFlag() throws Exception {
    try (HostileServer server =
            new HostileServer(c -> {
              c.request();
              c.silence();
            });
        CacheClient client = connect(List.of(server.uri()))) {
      CompletableFuture<FailureKind> result = new CompletableFuture<>();
      Thread caller =
          Thread.ofPlatform()
              .start(() -> {
                FailureKind kind = failure(client);
                if (Thread.currentThread().isInterrupted()) {
                  result.complete(kind);
                } else {
                  result.completeExceptionally(new AssertionError("the flag is gone"));
                }
              });
      Await.until("the call is under way", () -> server.requests() == 1);
      caller.interrupt();
      assertThat(result.get(1, TimeUnit.MINUTES)).isEqualTo(FailureKind.INTERRUPTED);
    }
  }

  @Test
  void aParanoidClientComplainsAboutOpenAnswers() {
    try (RunningServers servers = RunningServers.inMemory(1)) {
      CacheClient client = connect(servers.uris());
      Blob blob = TestBlobs.ofLength(new Random(3), 100);
      client.put(List.of(blob));
      BlobAnswer answer = client.get(List.of(blob.hash()));
      assertThatIllegalStateException()
          .isThrownBy(client::close)
          .withMessageContaining("1 answers were not closed");
      assertThat(answer.bytes(0)).isEqualTo(blob.content());
      answer.close();
    }
  }

  @Test
  void answersStayReadableAfterTheirClientIsClosed() {
    try (RunningServers servers = RunningServers.inMemory(1)) {
      Blob blob = TestBlobs.ofLength(new Random(4), 100);
      CacheClient client = CacheClient.connect(ClientConfig.of(servers.uris()));
      client.put(List.of(blob));
      try (BlobAnswer answer = client.get(List.of(blob.hash()))) {
        client.close();
        assertThat(answer.status(0)).isEqualTo(AskStatus.HIT);
        assertThat(answer.bytes(0)).isEqualTo(blob.content());
      }
    }
  }

  private static FailureKind failure(CacheClient client) {
    try (BlobAnswer answer = client.get(List.of(HASH))) {
      return answer.failures().getFirst().kind();
    }
  }

  private static int hits(CacheClient client, List<ContentHash> hashes) {
    try (BlobAnswer answer = client.get(hashes)) {
      return answer.hits();
    }
  }

  private static <T> CompletableFuture<T> inThread(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
  }

  private static CacheClient connect(List<URI> servers) {
    return CacheClient.connect(
        ClientConfig.of(servers).withParanoid(true).withRequestTimeout(Duration.ofSeconds(30)));
  }
}
