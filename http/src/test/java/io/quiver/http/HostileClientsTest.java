package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.Await;
import io.quiver.testkit.StalledClients;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that announce, stall, trickle and vanish take nothing from others. */
final class HostileClientsTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final String ANNOUNCED =
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: " + TestStack.MAX_BODY + "\r\n\r\n";
  private static final String CHUNKED =
      "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";

  @TempDir private Path folder;

  private TestStack stack(Duration stall) throws IOException {
    return new TestStack(Files.writeString(folder.resolve("tokens"), "# nobody\n"), stall);
  }

  private static Socket connect(TestStack stack) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), stack.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends a whole body and returns everything that comes back. */
  private static String echo(TestStack stack) throws IOException {
    try (Socket socket = connect(stack)) {
      send(socket, ANNOUNCED + "y".repeat(TestStack.MAX_BODY));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void bodiesThatDoNotComeTakeNothingOfTheBudget() throws Exception {
    try (TestStack stack = stack(LONG);
        StalledClients announced = new StalledClients(stack.port(), 40, ANNOUNCED, 0);
        StalledClients chunked = new StalledClients(stack.port(), 40, CHUNKED + "fff\r\n", 0)) {
      assertThat(announced).isNotEqualTo(chunked);
      Await.until("all are connected", () -> stack.server.connections() == 80);
      assertThat(echo(stack)).startsWith("HTTP/1.1 200 ");
      assertThat(stack.bodies.heldBytes()).isZero();
    }
  }

  @Test
  void aBodyThatHasBegunHoldsItsLengthAndGivesItBack() throws Exception {
    try (TestStack stack = stack(LONG)) {
      int sent = 20_000;
      try (StalledClients one = new StalledClients(stack.port(), 1, ANNOUNCED, sent)) {
        assertThat(one).isNotNull();
        Await.until("it holds what came", () -> stack.bodies.heldBytes() >= sent);
        assertThat(stack.bodies.heldBytes()).isLessThanOrEqualTo(TestStack.MAX_BODY + 1_024);
      }
      Await.until("nothing is held", () -> stack.bodies.heldBytes() == 0);
    }
  }

  @Test
  void stalledBodiesGiveTheBudgetUpWhenOthersWait() throws Exception {
    try (TestStack stack = stack(Duration.ofSeconds(4));
        StalledClients many =
            new StalledClients(stack.port(), 15, ANNOUNCED, TestStack.MAX_BODY - 1)) {
      assertThat(many).isNotNull();
      Await.until("the budget is used up", () -> stack.bodies.contended("127.0.0.1"));
      assertThat(echo(stack)).startsWith("HTTP/1.1 200 ").endsWith("y");
    }
  }

  @Test
  void aBodyThatTricklesIsCut() throws Exception {
    try (TestStack stack = stack(SHORT);
        Socket socket = connect(stack)) {
      send(socket, ANNOUNCED);
      Await.until("the connection is cut", () -> isCutAfter(socket, "z"));
      Await.until("nothing is left", () -> stack.server.connections() == 0);
      assertThat(stack.bodies.heldBytes()).isZero();
    }
  }

  private static boolean isCutAfter(Socket socket, String text) {
    try {
      send(socket, text);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aReaderOfEventsThatStandsStillIsCut() throws Exception {
    try (TestStack stack = stack(SHORT);
        StalledClients reader =
            new StalledClients(stack.port(), 1, "GET /endless HTTP/1.1\r\nHost: t\r\n\r\n", 0)) {
      assertThat(reader).isNotNull();
      assertThat(stack.endless.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aReaderOfEventsThatVanishesIsNoticed() throws Exception {
    try (TestStack stack = stack(LONG)) {
      try (Socket socket = connect(stack)) {
        send(socket, "GET /endless HTTP/1.1\r\nHost: t\r\n\r\n");
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      assertThat(stack.endless.await(10, TimeUnit.SECONDS)).isTrue();
      Await.until("nothing is left", () -> stack.server.connections() == 0);
    }
  }

  @Test
  void whoSendsALongBodyToAWrongPathStillReadsTheAnswer() throws Exception {
    try (TestStack stack = stack(LONG);
        Socket socket = connect(stack)) {
      send(socket, CHUNKED.replace("/echo", "/nothing"));
      String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
      OutputStream output = socket.getOutputStream();
      for (int i = 0; i < 64; i++) {
        output.write(chunk.getBytes(StandardCharsets.ISO_8859_1));
      }
      send(socket, "0\r\n\r\n");
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.ISO_8859_1)).startsWith("HTTP/1.1 404 ");
    }
  }

  @Test
  void aClientThatPipelinesExpectationsAndNeverReadsIsCut() throws Exception {
    String request =
        "POST /echo HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx";
    byte[] many = request.repeat(1_000).getBytes(StandardCharsets.US_ASCII);
    List<SocketChannel> peers = new ArrayList<>();
    try (TestStack stack = stack(SHORT)) {
      // Some of the many block in the one write that tells them to go on, and some in an answer.
      for (int i = 0; i < 40; i++) {
        SocketChannel peer = SocketChannel.open(stack.server.address());
        peer.configureBlocking(false);
        peers.add(peer);
      }
      Await.until("all are served", () -> stack.server.connections() == peers.size());
      Await.until(
          "all are cut",
          () -> {
            peers.forEach(peer -> sendWhatFits(peer, many));
            return stack.server.connections() == 0;
          });
    } finally {
      for (SocketChannel peer : peers) {
        peer.close();
      }
    }
  }

  private static void sendWhatFits(SocketChannel peer, byte[] bytes) {
    try {
      int sent = peer.write(ByteBuffer.wrap(bytes));
      assertThat(sent).isNotNegative();
    } catch (IOException e) {
      assertThat(e).as("the server has cut the connection").isNotNull();
    }
  }

  @Test
  void largeHeadsThatDoNotEndAreBounded() throws Exception {
    String field = "X: " + "y".repeat(4_000) + "\r\n";
    String head = "GET /open HTTP/1.1\r\nHost: t\r\n" + field.repeat(2);
    Path nobody = Files.writeString(folder.resolve("tokens"), "# nobody\n");
    List<Socket> peers = new ArrayList<>();
    try (TestStack stack = new TestStack(nobody, LONG, LONG)) {
      for (int i = 0; i < 20; i++) {
        peers.add(connect(stack));
        send(peers.getLast(), head);
      }
      Await.until("12 of 20 are refused", () -> answered(peers) == 12);
    } finally {
      for (Socket peer : peers) {
        peer.close();
      }
    }
  }

  private static int answered(List<Socket> peers) throws IOException {
    int answered = 0;
    for (Socket peer : peers) {
      answered += peer.getInputStream().available() > 0 ? 1 : 0;
    }
    return answered;
  }

  @Test
  void connectionsThatAskNothingGiveWayToNewOnes() throws Exception {
    try (TestStack stack = stack(LONG);
        StalledClients idle = new StalledClients(stack.port(), TestStack.CONNECTIONS, "", 0)) {
      assertThat(idle).isNotNull();
      Await.until("all are connected", () -> stack.server.connections() == TestStack.CONNECTIONS);
      for (int i = 0; i < 3; i++) {
        assertThat(echo(stack)).startsWith("HTTP/1.1 200 ");
      }
      assertThat(stack.server.connections()).isLessThanOrEqualTo(TestStack.CONNECTIONS);
    }
  }

  @Test
  void connectionsThatAreServedDoNotGiveWay() throws Exception {
    try (TestStack stack = stack(LONG);
        StalledClients busy =
            new StalledClients(stack.port(), TestStack.CONNECTIONS, ANNOUNCED, 0)) {
      assertThat(busy).isNotNull();
      Await.until("all are served", () -> stack.bodiesBegun.get() == TestStack.CONNECTIONS);
      try (Socket late = connect(stack)) {
        byte[] answer = late.getInputStream().readAllBytes();
        assertThat(new String(answer, StandardCharsets.ISO_8859_1)).startsWith("HTTP/1.1 503 ");
      }
      assertThat(stack.server.connections()).isEqualTo(TestStack.CONNECTIONS);
    }
  }
}
