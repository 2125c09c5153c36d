package io.quiver.simulator.check;

import java.util.Arrays;

/** Checks that no server ever has more bytes than its capacity. */
public final class WithinCapacity extends Judge {
  private long[] capacity = new long[0];
  private long[] used = new long[0];

  /** Creates a judge who has seen nothing. */
  public WithinCapacity() {
    super("capacity never exceeded");
  }

  @Override
  public void serverStarted(long now, int server, String name, long capacityBytes) {
    require(server);
    capacity[server] = capacityBytes;
    used[server] = 0;
  }

  @Override
  public void serverGone(long now, int server) {
    require(server);
    used[server] = 0;
    capacity[server] = 0;
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    require(server);
    used[server] += bytes;
    if (used[server] > capacity[server]) {
      broken(
          now,
          "server "
              + server
              + " holds "
              + used[server]
              + " bytes of a capacity of "
              + capacity[server]);
    }
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    lose(now, server, bytes);
  }

  @Override
  public void gaveUp(long now, int server, int dataset, int chunk, long bytes) {
    lose(now, server, bytes);
  }

  private void lose(long now, int server, long bytes) {
    require(server);
    used[server] -= bytes;
    if (used[server] < 0) {
      broken(now, "server " + server + " dropped " + -used[server] + " bytes more than it had");
    }
  }

  /** Makes place for a server. One that nobody has announced has no capacity. */
  private void require(int server) {
    if (server >= used.length) {
      used = Arrays.copyOf(used, 2 * server + 1);
      capacity = Arrays.copyOf(capacity, used.length);
    }
  }
}
