package io.quiver.simulator.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Checks that no server ever has more rotating chunks of a data set than the window. */
public final class RotatingWindow extends Judge {
  private final int most;
  private final Map<Place, Map<Integer, Boolean>> chunks = new HashMap<>();

  private record Place(int server, int dataset) {}

  /** Creates a judge who has seen nothing and allows so many. */
  public RotatingWindow(int most) {
    super("at most " + most + " rotating chunks of a data set");
    this.most = most;
  }

  @Override
  public void roleChanged(long now, int server, int dataset, int chunk, boolean rotating) {
    Map<Integer, Boolean> here = here(server, dataset);
    if (here.containsKey(chunk)) {
      here.put(chunk, rotating);
      require(now, server, dataset, here);
    }
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    Map<Integer, Boolean> here = here(server, dataset);
    Boolean before = here.put(chunk, rotating);
    if (before == null || before != rotating) {
      require(now, server, dataset, here);
    }
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    here(server, dataset).remove(chunk);
  }

  @Override
  public void serverGone(long now, int server) {
    chunks.keySet().removeIf(place -> place.server == server);
  }

  private Map<Integer, Boolean> here(int server, int dataset) {
    return chunks.computeIfAbsent(new Place(server, dataset), any -> new HashMap<>());
  }

  private void require(long now, int server, int dataset, Map<Integer, Boolean> here) {
    Set<Integer> rotating = new HashSet<>();
    here.forEach((chunk, rotates) -> {
      if (rotates) {
        rotating.add(chunk);
      }
    });
    if (rotating.size() > most) {
      broken(
          now,
          "server " + server + " has the rotating chunks " + rotating + " of data set " + dataset);
    }
  }
}
