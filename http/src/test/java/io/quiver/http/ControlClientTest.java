package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.HostileServer;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client of managers that do to it whatever they like. */
final class ControlClientTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(20);

  private static HostileServer good() {
    return new HostileServer(conversation -> {
      conversation.request();
      conversation.answer(ByteBuffer.wrap("good".getBytes(StandardCharsets.US_ASCII)));
    });
  }

  /** Asks a hostile manager first and a good one next, and returns what it hears. */
  private static String hears(HostileServer.Script script, Duration timeout) throws Exception {
    try (HostileServer bad = new HostileServer(script);
        HostileServer good = good();
        ControlClient client =
            new ControlClient(List.of(bad.uri(), good.uri()), ClientCredentials.NONE, LONG)) {
      ControlClient.Answer answer = client.get("/v1/plan", timeout);
      assertThat(client.address()).isEqualTo(good.uri());
      return new String(answer.body(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void aManagerThatResetsOrEndsOrTalksNonsenseIsPassedOver() throws Exception {
    assertThat(hears(HostileServer.Conversation::reset, LONG)).isEqualTo("good");
    assertThat(hears(conversation -> conversation.request(), LONG)).isEqualTo("good");
    assertThat(hears(conversation -> conversation.send("nonsense\r\n\r\n"), LONG))
        .isEqualTo("good");
    assertThat(
            hears(
                conversation -> {
                  conversation.request();
                  conversation.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                },
                LONG))
        .isEqualTo("good");
  }

  @Test
  void aManagerThatIsSilentOrTricklesIsPassedOverInTime() throws Exception {
    assertThat(hears(HostileServer.Conversation::silence, SHORT)).isEqualTo("good");
    assertThat(
            hears(
                conversation -> {
                  conversation.request();
                  conversation.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                  conversation.silence();
                },
                SHORT))
        .isEqualTo("good");
  }

  @Test
  void withoutAnotherManagerTheFailureIsTold() throws Exception {
    try (HostileServer bad = new HostileServer(HostileServer.Conversation::silence);
        ControlClient client =
            new ControlClient(List.of(bad.uri()), ClientCredentials.NONE, LONG)) {
      assertThatThrownBy(() -> client.get("/", SHORT)).isInstanceOf(HttpTimeoutException.class);
    }
  }

  @Test
  void anAnswerWithoutEndIsNotReadForEver() throws Exception {
    ByteBuffer megabyte = ByteBuffer.allocate(1 << 20);
    HostileServer.Script endless =
        conversation -> {
          conversation.request();
          conversation.send("HTTP/1.1 200 OK\r\n\r\n");
          while (true) {
            conversation.send(megabyte);
          }
        };
    try (HostileServer bad = new HostileServer(endless);
        ControlClient client =
            new ControlClient(List.of(bad.uri()), ClientCredentials.NONE, LONG)) {
      assertThatThrownBy(() -> client.get("/", LONG))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(HttpTimeoutException.class);
    }
  }
}
