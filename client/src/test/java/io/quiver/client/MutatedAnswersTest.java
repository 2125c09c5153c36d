package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.GetRequest.Verification;
import io.quiver.client.testing.Frames;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import io.quiver.testkit.HostileServer;
import io.quiver.testkit.SeededRuns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Proper answers with a few bytes changed, cut or put in: no exception and no wrong byte. */
final class MutatedAnswersTest {
  private static final byte[] CONTENT =
      "four hundred".repeat(34).getBytes(StandardCharsets.US_ASCII);
  private static final ContentHash HASH = ContentHash.ofContent(CONTENT);
  private static final int ROUNDS = Boolean.getBoolean("quiver.test.long") ? 50_000 : 300;

  @Test
  void neverThrowsAndNeverDeliversAWrongByte() {
    AtomicReference<byte[]> next = new AtomicReference<>(new byte[0]);
    HostileServer.Script script =
        conversation -> {
          conversation.request();
          conversation.send(ByteBuffer.wrap(next.get()));
        };
    try (HostileServer server = new HostileServer(script)) {
      SeededRuns.run(
          ROUNDS,
          random -> {
            next.set(mutate(answer(), random));
            requireHarmless(server);
          });
    }
  }

  private static void requireHarmless(HostileServer server) {
    ClientConfig config =
        ClientConfig.of(List.of(server.uri()))
            .withRetries(0)
            .withBufferBytes(1 << 20)
            .withRequestTimeout(Duration.ofSeconds(20))
            .withParanoid(true);
    try (CacheClient client = CacheClient.connect(config);
        BlobAnswer answer =
            client.get(GetRequest.all(List.of(HASH, HASH, HASH)).verifiedBy(Verification.SHA256))) {
      for (int i = 0; i < 3; i++) {
        if (answer.status(i) == AskStatus.HIT) {
          assertThat(answer.bytes(i)).isEqualTo(ByteBuffer.wrap(CONTENT));
        }
      }
    }
  }

  private static byte[] answer() {
    ByteBuffer body = Frames.hits(3, CONTENT, 0);
    byte[] head =
        ("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.quiver.frame\r\nContent-Length: "
                + body.remaining()
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] whole = Arrays.copyOf(head, head.length + body.remaining());
    body.get(whole, head.length, body.remaining());
    return whole;
  }

  /** Changes a few bytes, more often in the head and the rows than in the payload. */
  private static byte[] mutate(byte[] answer, Random random) {
    byte[] mutated = answer;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at =
          random.nextInt(random.nextBoolean() ? Math.min(170, mutated.length) : mutated.length);
      mutated =
          switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(mutated, Math.max(1, at));
            case 1 -> insert(mutated, at, (byte) random.nextInt());
            default -> change(mutated, at, (byte) random.nextInt());
          };
    }
    return mutated;
  }

  private static byte[] insert(byte[] bytes, int at, byte value) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
    longer[at] = value;
    return longer;
  }

  private static byte[] change(byte[] bytes, int at, byte value) {
    byte[] changed = bytes.clone();
    changed[at] = value;
    return changed;
  }
}
