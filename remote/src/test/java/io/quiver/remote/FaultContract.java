package io.quiver.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.RemoteConfig.Timeouts;
import io.quiver.remote.retry.RetryingStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks a store's behaviour when the service fails. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class FaultContract {
  private static final int SIZE = 300_000;
  private static final byte[] CONTENT = RemoteStoreContract.bytes(7, SIZE);
  private static final RemoteConfig QUICK =
      RemoteConfig.DEFAULT.withRetries(
          new RetryConfig(5, Duration.ofMillis(1), Duration.ofMillis(5), 100));
  private static final RemoteConfig IMPATIENT =
      QUICK
          .withTimeouts(
              new Timeouts(Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(4)))
          .withRetries(new RetryConfig(1, Duration.ofMillis(1), Duration.ofMillis(5), 100));

  private @Nullable HostileObjectServer hostile;

  /** Returns a store with the single object x at the server. */
  protected abstract RetryingStore store(HostileObjectServer server, RemoteConfig config)
      throws IOException;

  /** Every test must leave no request behind. */
  private void checkNothingLeft(RetryingStore store, HostileObjectServer server) throws Exception {
    assertThat(store.requestsUnderWay()).isZero();
    store.close();
    assertThat(server.awaitNoConnections()).isTrue();
  }

  @AfterEach
  void stop() {
    if (hostile != null) {
      hostile.close();
    }
  }

  private HostileObjectServer serve(
      Function<HostileObjectServer, HostileObjectServer.Script> script) throws IOException {
    HostileObjectServer[] self = new HostileObjectServer[1];
    self[0] =
        new HostileObjectServer(
            CONTENT, (number, request) -> script.apply(self[0]).reply(number, request));
    hostile = self[0];
    return self[0];
  }

  private static HostileObjectServer.Script failing(
      int times, HostileObjectServer.Reply bad, HostileObjectServer.Reply good) {
    return (number, request) -> number < times ? bad : good;
  }

  private static byte[] readAll(RemoteStore store) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(SIZE);
    store.read("x", 0, target);
    return target.array();
  }

  @Test
  void passingTroubleIsRetried() throws Exception {
    for (int status : new int[] {500, 502, 503, 504, 429, 408}) {
      HostileObjectServer server =
          serve(self -> failing(2, self.status(status, "Retry-After: 1"), self.good()));
      RetryingStore store = store(server, QUICK);
      assertThat(readAll(store)).as("status " + status).isEqualTo(CONTENT);
      assertThat(server.requests).hasSize(3);
      assertThat(store.retriesLeft()).isEqualTo(98);
      checkNothingLeft(store, server);
      server.close();
    }
  }

  @Test
  void lastingTroubleFailsAfterTheAllowedAttempts() throws Exception {
    HostileObjectServer server = serve(self -> (number, request) -> self.status(503));
    RetryingStore store = store(server, QUICK);
    assertThatThrownBy(() -> readAll(store))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'x'")
        .hasMessageContaining("503")
        .hasMessageContaining("6 attempts");
    assertThat(server.requests).hasSize(6);
    checkNothingLeft(store, server);
  }

  @Test
  void refusalsAreNotRetried() throws Exception {
    for (int status : new int[] {403, 404, 400}) {
      HostileObjectServer server = serve(self -> (number, request) -> self.status(status));
      RetryingStore store = store(server, QUICK);
      Class<? extends IOException> expected =
          switch (status) {
            case 403 -> AccessDeniedException.class;
            case 404 -> NoSuchFileException.class;
            default -> IOException.class;
          };
      assertThatThrownBy(() -> readAll(store)).isInstanceOf(expected).hasMessageContaining("x");
      assertThat(server.requests).hasSize(1);
      checkNothingLeft(store, server);
      server.close();
    }
  }

  @Test
  void brokenConnectionsAreResumedWhereTheyBroke() throws Exception {
    for (boolean reset : new boolean[] {false, true}) {
      HostileObjectServer server =
          serve(self -> failing(3, self.cutAfter(50_000, reset), self.good()));
      RetryingStore store = store(server, QUICK);
      try (InputStream stream = store.open("x", 0, -1)) {
        assertThat(stream.readAllBytes()).isEqualTo(CONTENT);
      }
      List<HostileObjectServer.Request> requests = server.requests;
      assertThat(requests).hasSize(4);
      assertThat(requests.get(0).header("If-Match")).isEmpty();
      assertThat(requests.subList(1, 4))
          .allSatisfy(request -> assertThat(request.header("If-Match")).isEqualTo("\"tag\""));
      if (!reset) {
        assertThat(requests)
            .extracting(request -> request.header("Range").replaceAll("-.*", ""))
            .containsExactly("bytes=0", "bytes=50000", "bytes=100000", "bytes=150000");
      }
      checkNothingLeft(store, server);
      server.close();
    }
  }

  @Test
  void readsIntoBuffersAreResumedToo() throws Exception {
    HostileObjectServer server =
        serve(self -> failing(4, self.cutAfter(70_001, false), self.good()));
    RetryingStore store = store(server, QUICK);
    ByteBuffer target = ByteBuffer.allocateDirect(SIZE - 1);
    store.read("x", 1, target);
    byte[] actual = new byte[SIZE - 1];
    target.flip().get(actual);
    assertThat(actual).isEqualTo(Arrays.copyOfRange(CONTENT, 1, SIZE));
    checkNothingLeft(store, server);
  }

  @Test
  void anObjectReplacedBetweenPartsIsNoticed() throws Exception {
    for (boolean honest : new boolean[] {true, false}) {
      HostileObjectServer server =
          serve(self ->
              failing(
                  1,
                  self.cutAfter(1000, false),
                  honest ? self.status(412) : self.goodWithTag("\"other\"")));
      RetryingStore store = store(server, QUICK);
      assertThatThrownBy(() -> readAll(store))
          .isInstanceOf(ChangedObjectException.class)
          .hasMessageContaining("'x'");
      assertThat(server.requests).hasSize(2);
      checkNothingLeft(store, server);
      server.close();
    }
  }

  @Test
  void firstBytesCostOneRequest() throws Exception {
    HostileObjectServer server = serve(self -> (number, request) -> self.good());
    RetryingStore store = store(server, QUICK);
    try (FirstBytes first = store.first("x", 1000)) {
      assertThat(first.bytes().readAllBytes()).isEqualTo(Arrays.copyOf(CONTENT, 1000));
      assertThat(first.details().object().size()).isEqualTo(SIZE);
      assertThat(first.details().object().version()).isEqualTo("\"tag\"");
    }
    assertThat(server.requests).hasSize(1);
    assertThat(server.requests.getFirst().method()).isEqualTo("GET");
    checkNothingLeft(store, server);
  }

  @Test
  void aVersionIsInsistedOnFromTheFirstRequestOnAndComparedWithTheAnswers() throws Exception {
    for (boolean honest : new boolean[] {true, false}) {
      HostileObjectServer server =
          serve(self ->
              (number, request) -> honest ? self.status(412) : self.goodWithTag("\"other\""));
      RetryingStore store = store(server, QUICK);
      RemoteObject object = new RemoteObject("x", SIZE, "\"tag\"");
      assertThatThrownBy(() -> store.read(object, 0, ByteBuffer.allocate(10)))
          .isInstanceOf(ChangedObjectException.class);
      assertThatThrownBy(() -> store.open(object, 0, -1))
          .isInstanceOf(ChangedObjectException.class);
      assertThat(server.requests)
          .hasSize(2)
          .allSatisfy(request -> assertThat(request.header("If-Match")).isEqualTo("\"tag\""));
      checkNothingLeft(store, server);
      server.close();
    }
  }

  @Test
  void readsOfAVersionAreResumedToo() throws Exception {
    HostileObjectServer server =
        serve(self -> failing(4, self.cutAfter(70_001, false), self.good()));
    RetryingStore store = store(server, QUICK);
    ByteBuffer target = ByteBuffer.allocate(SIZE);
    store.read(new RemoteObject("x", SIZE, "\"tag\""), 0, target);
    assertThat(target.array()).isEqualTo(CONTENT);
    checkNothingLeft(store, server);
  }

  @Test
  void answersToAnotherQuestionAreRefused() throws Exception {
    List<String> heads =
        List.of(
            "HTTP/1.1 206 OK\r\nETag: \"tag\"\r\nContent-Length: 10\r\nContent-Range: bytes 0-9/300000\r\n\r\n",
            "HTTP/1.1 206 OK\r\nETag: \"tag\"\r\nContent-Length: 40\r\nContent-Range: bytes 10-49/300000\r\n\r\n",
            "HTTP/1.1 206 OK\r\nETag: \"tag\"\r\nContent-Length: 20\r\nContent-Range: bytes 10-19/300000\r\n\r\n",
            "HTTP/1.1 206 OK\r\nETag: \"tag\"\r\nContent-Length: 10\r\nContent-Range: nonsense\r\n\r\n",
            "HTTP/1.1 200 OK\r\nETag: \"tag\"\r\nContent-Length: 100\r\n\r\n");
    for (String head : heads) {
      HostileObjectServer server =
          serve(self -> (number, request) -> self.raw(head, new byte[100], false));
      RetryingStore store = store(server, QUICK);
      ByteBuffer target = ByteBuffer.allocate(10);
      assertThatThrownBy(() -> store.read("x", 10, target))
          .as(head)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("'x'");
      checkNothingLeft(store, server);
      server.close();
    }
  }

  @Test
  void garbageIsAnErrorAfterABoundedNumberOfAttempts() throws Exception {
    HostileObjectServer server =
        serve(self -> (number, request) -> self.raw("\0\1\2 what?\r\n\r\n", new byte[9], false));
    RetryingStore store = store(server, QUICK);
    assertThatThrownBy(() -> readAll(store)).isInstanceOf(IOException.class);
    assertThat(server.requests.size()).isBetween(1, 6);
    checkNothingLeft(store, server);
  }

  @Test
  void silentAndStallingServersRunIntoTheTimeout() throws Exception {
    for (boolean midway : new boolean[] {false, true}) {
      HostileObjectServer server =
          serve(self -> (number, request) -> midway ? self.stallAfter(1000) : self.silence());
      RetryingStore store = store(server, IMPATIENT);
      long began = System.nanoTime();
      assertThatThrownBy(() -> readAll(store))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("'x'");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
      assertThat(server.requests).hasSize(2);
      server.close();
      checkNothingLeft(store, server);
    }
  }

  @Test
  void anOutageCostsNoMoreRetriesThanTheBudget() throws Exception {
    int budget = 7;
    int calls = 30;
    HostileObjectServer server = serve(self -> (number, request) -> self.status(500));
    RetryingStore store =
        store(
            server,
            QUICK.withRetries(
                new RetryConfig(5, Duration.ofMillis(1), Duration.ofMillis(2), budget)));
    for (int i = 0; i < calls; i++) {
      assertThatThrownBy(() -> store.stat("x")).isInstanceOf(IOException.class);
    }
    assertThat(server.requests).hasSize(calls + budget);
    assertThatThrownBy(() -> store.stat("x")).hasMessageContaining("budget");
    checkNothingLeft(store, server);
  }

  @Test
  void closingEndsReadsThatWait() throws Exception {
    for (boolean midway : new boolean[] {false, true}) {
      HostileObjectServer server =
          serve(self -> (number, request) -> midway ? self.stallAfter(1000) : self.silence());
      RetryingStore store = store(server, QUICK);
      CompletableFuture<byte[]> reader = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              reader.complete(readAll(store));
            } catch (IOException | RuntimeException failure) {
              reader.completeExceptionally(failure);
            }
          });
      assertThat(server.stalled.await(30, TimeUnit.SECONDS)).isTrue();
      store.close();
      assertThatThrownBy(() -> reader.get(15, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IOException.class);
      assertThat(store.requestsUnderWay()).isZero();
      server.close();
    }
  }

  @Test
  void streamsLeftOpenUseUpTheConnectionsWithAClearError() throws Exception {
    HostileObjectServer server = serve(self -> (number, request) -> self.good());
    RetryingStore store = store(server, IMPATIENT.withConnections(2));
    List<InputStream> held = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      held.add(store.open("x", 0, -1));
    }
    assertThatThrownBy(() -> readAll(store))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("all 2 connections");
    for (InputStream stream : held) {
      stream.close();
    }
    assertThat(readAll(store)).isEqualTo(CONTENT);
    checkNothingLeft(store, server);
  }

  @Test
  void noServerAtAllIsAnErrorNamingTheObject() throws Exception {
    HostileObjectServer server = serve(self -> (number, request) -> self.good());
    server.close();
    RetryingStore store = store(server, QUICK);
    assertThatThrownBy(() -> readAll(store))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'x'")
        .hasMessageContaining("6 attempts");
    store.close();
  }
}
