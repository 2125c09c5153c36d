package io.quiver.simulator.cluster;

import io.quiver.core.plan.allocate.DatasetKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The data sets of a simulation and what lies of them on servers. */
public final class Catalog {
  private final List<SimulatedDataset> datasets = new ArrayList<>();
  private final List<Stock> stocks = new ArrayList<>();
  private final Map<DatasetKey, Integer> indices = new HashMap<>();
  private final Map<Space, String> spaceNames = new HashMap<>();

  /** Adds a data set; they are numbered from 0 in the order of adding. */
  public void add(SimulatedDataset dataset, Stock stock) {
    if (dataset.index() != datasets.size()) {
      throw new IllegalArgumentException("data set " + dataset.name() + " is out of turn");
    }
    indices.put(dataset.key(), datasets.size());
    datasets.add(dataset);
    stocks.add(stock);
  }

  /** Returns the data set of a number. */
  public SimulatedDataset dataset(int index) {
    return datasets.get(index);
  }

  /** Returns what lies of it on servers. */
  public Stock stock(int index) {
    return stocks.get(index);
  }

  int index(DatasetKey key) {
    Integer index = indices.get(key);
    if (index == null) {
      throw new IllegalStateException("a plan about a data set that nobody reads: " + key);
    }
    return index;
  }

  /** Returns the name of a space on the wire; servers ask for it with every heartbeat. */
  String name(Space space) {
    return spaceNames.computeIfAbsent(
        space,
        each -> datasets.get(each.dataset()).key().space(each.chunks(), each.chunk()).name());
  }
}
