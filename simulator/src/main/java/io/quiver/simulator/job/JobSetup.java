package io.quiver.simulator.job;

import io.quiver.core.order.OrderSetup;
import io.quiver.simulator.cluster.DatasetCache;
import io.quiver.simulator.cluster.SimulatedDataset;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.model.Store;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario.LoaderSpec;
import java.util.List;

/**
 * The parts of one process of a simulated job.
 *
 * @param index its number among the processes of all jobs
 * @param rank its number in the job, from 0
 * @param cache the cached part of its data set
 * @param seed the run's seed, from which its own random numbers follow
 */
public record JobSetup(
    int index,
    JobSpec spec,
    int rank,
    DatasetCache cache,
    Machine machine,
    Store store,
    LoaderSpec loader,
    long seed) {
  /** Returns the name of the process, which is the job's if there is no other. */
  String name() {
    return ranks() == 1 ? spec.name() : spec.name() + ".r" + rank;
  }

  /** Returns how many processes share each epoch. */
  int ranks() {
    return spec.machines().size();
  }

  long roundTripNanos() {
    return machine.roundTripNanos();
  }

  SimulatedDataset dataset() {
    return cache.dataset();
  }

  int batch() {
    return spec.batch();
  }

  /** Returns the links that reads from the store pass. */
  List<Link> storePath() {
    return store.pathTo(machine);
  }

  /** Returns how many items are read from the store together. */
  int fetchItems() {
    return Math.clamp(loader.fetchBytes() / dataset().itemBytes(), 1, Integer.MAX_VALUE);
  }

  /** Returns the order's setup; all ranks of the job share its seed. */
  OrderSetup order(int chunks) {
    long orderSeed = SeededNumbers.derive(seed, "job " + spec.name());
    return OrderSetup.single(dataset().items(), chunks, batch(), orderSeed).withRank(rank, ranks());
  }
}
