package io.quiver.server;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Has a running server and one connection to it for each test, which must leave nothing behind. */
abstract class RunningServerTest {
  TestServer server;
  TestClient client;

  /** Opens the server. */
  TestServer open() throws IOException {
    return new TestServer();
  }

  @BeforeEach
  void start() throws IOException {
    server = open();
    client = server.client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.assertHealthyAndEmpty();
    server.close();
  }
}
