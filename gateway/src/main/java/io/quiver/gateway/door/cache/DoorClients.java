package io.quiver.gateway.door.cache;

import io.quiver.client.ClientConfig;
import java.time.Duration;

/** Sets clients up for doors: a reader waits for the answer, so time limits are short. */
final class DoorClients {
  /** Memory for answers that are on their way while all others stay as blocks. */
  private static final long UNDER_WAY_BYTES = 256L << 20;

  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration REQUEST = Duration.ofSeconds(2);
  private static final int CONNECTIONS = 32;

  private DoorClients() {}

  static ClientConfig tuned(ClientConfig config, long retainableBytes) {
    return config
        .withConnectTimeout(CONNECT)
        .withRequestTimeout(REQUEST)
        .withRetries(1)
        .withConnectionsPerServer(CONNECTIONS)
        .withBufferBytes(retainableBytes + UNDER_WAY_BYTES);
  }
}
