package io.quiver.simulator.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Checks that no server ever has more rotating chunks of a data set than the window. */
public final class RotatingWindow extends Judge {
  private final int most;
  // By server, then by data set.
  private final List<List<Chunks>> servers = new ArrayList<>();

  /** The chunks of a data set on a server; bits are those of chunks, after one for no chunk. */
  private static final class Chunks {
    private final BitSet here = new BitSet();
    private final BitSet rotating = new BitSet();
  }

  /** Creates a judge who has seen nothing and allows so many. */
  public RotatingWindow(int most) {
    super("at most " + most + " rotating chunks of a data set");
    this.most = most;
  }

  @Override
  public void roleChanged(long now, int server, int dataset, int chunk, boolean rotating) {
    Chunks chunks = chunks(server, dataset);
    if (chunks.here.get(chunk + 1)) {
      chunks.rotating.set(chunk + 1, rotating);
      require(now, server, dataset, chunks);
    }
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    Chunks chunks = chunks(server, dataset);
    int bit = chunk + 1;
    if (!chunks.here.get(bit) || chunks.rotating.get(bit) != rotating) {
      chunks.here.set(bit);
      chunks.rotating.set(bit, rotating);
      require(now, server, dataset, chunks);
    }
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    Chunks chunks = chunks(server, dataset);
    chunks.here.clear(chunk + 1);
    chunks.rotating.clear(chunk + 1);
  }

  @Override
  public void serverGone(long now, int server) {
    datasets(server).clear();
  }

  private List<Chunks> datasets(int server) {
    while (servers.size() <= server) {
      servers.add(new ArrayList<>());
    }
    return servers.get(server);
  }

  private Chunks chunks(int server, int dataset) {
    List<Chunks> datasets = datasets(server);
    while (datasets.size() <= dataset) {
      datasets.add(new Chunks());
    }
    return datasets.get(dataset);
  }

  private void require(long now, int server, int dataset, Chunks chunks) {
    if (chunks.rotating.cardinality() > most) {
      List<Integer> rotating = chunks.rotating.stream().mapToObj(bit -> bit - 1).toList();
      broken(
          now,
          "server " + server + " has the rotating chunks " + rotating + " of data set " + dataset);
    }
  }
}
