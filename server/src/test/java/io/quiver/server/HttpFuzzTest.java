package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.testkit.LogCapture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random and mutated requests, several to a connection. Whatever comes, the server neither breaks
 * nor keeps anything, and a well-behaved client beside them gets its bytes.
 */
class HttpFuzzTest {
  private static final int INPUTS = Boolean.getBoolean("quiver.test.long") ? 1_200_000 : 30_000;
  private static final int CLIENTS = 8;
  private static final int INPUTS_PER_CONNECTION = 8;
  private static final int DRAIN_MS = 10_000;

  private final long seed = Long.getLong("quiver.test.seed", System.nanoTime());

  @Test
  void noInputBreaksTheServerOrTouchesOthers() throws Exception {
    try (LogCapture errors = LogCapture.errors("io.quiver.server");
        TestServer server =
            new TestServer(config ->
                config
                    .withRequestTimeout(Duration.ofSeconds(2))
                    .withStallTimeout(Duration.ofSeconds(2)));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      byte[] content = server.stored(new Random(seed), 50_000);
      List<Future<Integer>> runs =
          IntStream.range(0, CLIENTS)
              .mapToObj(i -> clients.submit(attacker(server, content, seed + i)))
              .toList();
      try (TestClient good = server.client()) {
        while (runs.stream().anyMatch(run -> !run.isDone())) {
          assertThat(good.get(List.of(ContentHash.ofContent(content)), 1).payload())
              .as("seed %d", seed)
              .isEqualTo(content);
        }
      }
      int sent = 0;
      for (Future<Integer> run : runs) {
        sent += run.get();
      }
      assertThat(sent).as("seed %d", seed).isGreaterThanOrEqualTo(INPUTS);
      server.assertHealthyAndEmpty();
      assertThat(server.metricsText())
          .as("seed %d: no request may fail inside the server", seed)
          .doesNotContain("code=\"5xx\"");
      assertThat(errors.messages()).as("seed %d", seed).isEmpty();
    }
  }

  private static Callable<Integer> attacker(TestServer server, byte[] content, long seed) {
    return () -> {
      Random random = new Random(seed);
      int sent = 0;
      while (sent < INPUTS / CLIENTS) {
        try (Socket socket = server.client().socket()) {
          socket.setSoTimeout(DRAIN_MS);
          sent += attack(socket, content, random);
        }
      }
      return sent;
    };
  }

  /**
   * Sends a few inputs, reading as it goes, then says that no more will come and reads the rest.
   */
  private static int attack(Socket socket, byte[] content, Random random) throws IOException {
    int inputs = 0;
    try {
      for (; inputs < INPUTS_PER_CONNECTION; inputs++) {
        socket.getOutputStream().write(input(content, random));
        InputStream input = socket.getInputStream();
        input.skipNBytes(input.available());
      }
      socket.shutdownOutput();
      socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the server neither answers nor closes", e);
    } catch (IOException e) {
      // The server has closed the connection under our hands, which is its right.
      inputs++;
    }
    return Math.max(1, inputs);
  }

  private static byte[] input(byte[] content, Random random) {
    byte[] request =
        switch (random.nextInt(8)) {
          case 0 -> randomBytes(random, random.nextInt(300));
          case 1 -> ascii("GET /v1/blobs/" + ContentHash.ofContent(content).toHex() + head(""));
          case 2 -> ascii("GET /metrics" + head("Range: bytes=0-" + random.nextInt() + "\r\n"));
          case 3 -> withBody("POST /v1/blobs/lookup", ask(content, random), random);
          case 4 -> withBody("PUT /v1/blobs", offer(random), random);
          case 5 -> withBody("PUT /v1/blobs/" + "0".repeat(64), randomBytes(random, 50), random);
          default -> withBody("POST /v1/blobs/get", ask(content, random), random);
        };
    return random.nextInt(4) == 0 ? request : mutate(request, random);
  }

  private static byte[] withBody(String line, byte[] body, Random random) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    if (random.nextInt(3) == 0) {
      request.writeBytes(ascii(line + head("Transfer-Encoding: chunked\r\n")));
      request.writeBytes(TestClient.chunked(body, 1 + random.nextInt(100)));
    } else {
      int length = random.nextInt(20) == 0 ? random.nextInt(200) : body.length;
      request.writeBytes(ascii(line + head("Content-Length: " + length + "\r\n")));
      request.writeBytes(body);
    }
    return request.toByteArray();
  }

  private static byte[] mutate(byte[] request, Random random) {
    byte[] changed =
        random.nextInt(4) == 0
            ? Arrays.copyOf(request, random.nextInt(request.length + 10))
            : request.clone();
    for (int i = random.nextInt(5); i > 0 && changed.length > 0; i--) {
      int span = random.nextBoolean() ? changed.length : Math.min(changed.length, 120);
      changed[random.nextInt(span)] = (byte) random.nextInt();
    }
    return changed;
  }

  private static byte[] ask(byte[] content, Random random) {
    int count = 1 + random.nextInt(5);
    List<ContentHash> hashes =
        IntStream.range(0, count)
            .mapToObj(i ->
                random.nextInt(4) == 0
                    ? ContentHash.ofContent(content)
                    : ContentHash.of(randomBytes(random, 32)))
            .toList();
    return TestClient.bytes(new AskFrame(hashes, 1 + random.nextInt(count), random.nextBoolean()));
  }

  private static byte[] offer(Random random) {
    byte[] content = randomBytes(random, random.nextInt(200));
    Offer offer = new Offer(ContentHash.ofContent(content), new SpaceId("fuzz"), content.length);
    return TestClient.bytes(new OfferFrame(List.of(offer)), content);
  }

  private static String head(String fields) {
    return " HTTP/1.1\r\nHost: t\r\nQuiver-Job: j\r\n" + fields + "\r\n";
  }

  private static byte[] randomBytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
