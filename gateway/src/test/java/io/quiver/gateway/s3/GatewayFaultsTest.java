package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorStatistics;
import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.door.StoreDoor;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.gateway.s3.store.ObjectWrites;
import io.quiver.gateway.s3.store.OpenStore;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that fail in the middle, readers that do not read, and many readers at once. */
final class GatewayFaultsTest {
  private static final int LONG = 8 << 20;

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicBoolean failing = new AtomicBoolean();
  private byte[] bytes = new byte[0];
  private S3Gateway gateway;

  @BeforeEach
  void open(@TempDir Path folder) throws IOException {
    bytes = new byte[LONG];
    new Random(3).nextBytes(bytes);
    Files.write(folder.resolve("long"), bytes);
    Files.writeString(folder.resolve("short"), "a few bytes");
    GatewayConfig.Limits limits =
        new GatewayConfig.Limits(
            200, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofMillis(300), 1 << 20);
    gateway =
        S3Gateway.start(
            GatewayConfig.on("127.0.0.1", 0, Map.of("b", folder.toString()), AccessKeys.anonymous())
                .withLimits(limits),
            (address, profile) -> {
              RemoteStore store = FileStore.open(Path.of(address));
              return new OpenStore(new FailingDoor(new StoreDoor(store)), ObjectWrites.none(store));
            },
            InstantSource.system());
  }

  @AfterEach
  void close() throws IOException {
    http.close();
    gateway.close();
  }

  private HttpResponse<byte[]> get(String key) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(gateway.uri().resolve("/b/" + key)).build(),
        BodyHandlers.ofByteArray());
  }

  private String metrics() throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(gateway.uri().resolve("/metrics")).build(),
            BodyHandlers.ofString())
        .body();
  }

  @Test
  void aStoreThatFailsBeforeTheFirstByteIsTold() throws Exception {
    failing.set(true);
    HttpResponse<byte[]> answer = get("short");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("<Code>InternalError</Code>")
        .contains("the store is tired");
    failing.set(false);
    assertThat(get("short").statusCode()).isEqualTo(200);
  }

  @Test
  void aStoreThatFailsInTheMiddleCutsTheBodyShort() throws Exception {
    failing.set(true);
    assertThatThrownBy(() -> get("long")).isInstanceOf(IOException.class);
    failing.set(false);
    assertThat(get("long").body()).isEqualTo(bytes);
    Await.until("the failure is counted", () -> metrics().contains("requests_in_flight 1"));
  }

  @Test
  void aReaderThatStandsStillIsCut() throws Exception {
    URI uri = gateway.uri();
    try (Socket idle = new Socket()) {
      idle.setReceiveBufferSize(4096);
      idle.connect(gateway.address());
      idle.getOutputStream()
          .write(
              ("GET /b/long HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      Await.until("the connection is cut", () -> metrics().contains("connections_cut_total 1"));
      assertThat(read(idle)).isLessThan(LONG);
    }
    assertThat(get("short").statusCode()).isEqualTo(200);
  }

  private static long read(Socket socket) {
    long count = 0;
    byte[] piece = new byte[64 << 10];
    try (InputStream in = socket.getInputStream()) {
      for (int step = in.read(piece); step >= 0; step = in.read(piece)) {
        count += step;
      }
    } catch (IOException reset) {
      return count;
    }
    return count;
  }

  @Test
  void thousandsOfSmallReadsAtOnceAreAnswered() throws Exception {
    Semaphore turns = new Semaphore(100);
    List<Future<Integer>> answers = new ArrayList<>();
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3000; i++) {
        answers.add(
            readers.submit(() -> {
              turns.acquire();
              try {
                HttpResponse<byte[]> answer = get("short");
                return answer.body().length == 11 ? answer.statusCode() : -1;
              } finally {
                turns.release();
              }
            }));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
    assertThat(metrics())
        .contains("quiver_s3_requests_total{operation=\"GetObject\",code=\"2xx\"} 3000");
  }

  /** Passes one piece and then fails, if told to; nothing of a short object. */
  private final class FailingDoor implements Door {
    private final Door real;

    FailingDoor(Door real) {
      this.real = real;
    }

    @Override
    public ObjectDetails details(String name) throws IOException {
      return real.details(name);
    }

    @Override
    public ListingPage list(ListingRequest request) throws IOException {
      return real.list(request);
    }

    @Override
    public OpenObject open(ObjectDetails details) throws IOException {
      OpenObject open = real.open(details);
      return new OpenObject() {
        @Override
        public ObjectDetails details() {
          return open.details();
        }

        @Override
        public int read(long offset, ByteBuffer target) throws IOException {
          return open.read(offset, target);
        }

        @Override
        public void transfer(long offset, long length, ByteConsumer consumer) throws IOException {
          if (failing.get()) {
            if (length > 1000) {
              open.transfer(offset, length / 2, consumer);
            }
            throw new IOException("the store is tired");
          }
          open.transfer(offset, length, consumer);
        }

        @Override
        public void close() {
          open.close();
        }
      };
    }

    @Override
    public void forget(String name) {
      real.forget(name);
    }

    @Override
    public DoorStatistics statistics() {
      return real.statistics();
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
