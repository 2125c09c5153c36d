package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.store.memory.MemoryBlobStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A server that closes while people knock. */
class ClosingTest {
  private static final int ROUNDS = 40;
  private static final int CALLERS = 3;

  @Test
  void itClosesCleanlyWhileConnectionsArrive() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CacheServer server =
          CacheServer.start(ServerConfig.on("127.0.0.1", 0), new MemoryBlobStore(1 << 20, 1 << 16));
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch knocking = new CountDownLatch(CALLERS);
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(Thread.ofVirtual().start(() -> knock(server.address(), knocking, over)));
      }
      knocking.await();
      server.close();
      over.set(true);
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(server.connections()).as("connections left in round %s", round).isZero();
    }
  }

  private static void knock(
      InetSocketAddress address, CountDownLatch knocking, AtomicBoolean over) {
    while (!over.get()) {
      try (Socket socket = new Socket()) {
        socket.connect(address, 1_000);
      } catch (IOException e) {
        knocking.countDown(); // refused: the server is closing or closed
      }
      knocking.countDown();
    }
  }
}
