package io.quiver.simulator.check;

import java.util.HashMap;
import java.util.Map;

/** Checks that no server ever has more bytes than its capacity. */
public final class WithinCapacity extends Judge {
  private final Map<Integer, Long> capacity = new HashMap<>();
  private final Map<Integer, Long> used = new HashMap<>();

  /** Creates a judge who has seen nothing. */
  public WithinCapacity() {
    super("capacity never exceeded");
  }

  @Override
  public void serverStarted(long now, int server, String name, long capacityBytes) {
    capacity.put(server, capacityBytes);
    used.put(server, 0L);
  }

  @Override
  public void serverGone(long now, int server) {
    used.put(server, 0L);
    capacity.put(server, 0L);
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    long after = used.merge(server, bytes, Long::sum);
    long most = capacity.getOrDefault(server, 0L);
    if (after > most) {
      broken(now, "server " + server + " holds " + after + " bytes of a capacity of " + most);
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
    long after = used.merge(server, -bytes, Long::sum);
    if (after < 0) {
      broken(now, "server " + server + " dropped " + -after + " bytes more than it had");
    }
  }
}
