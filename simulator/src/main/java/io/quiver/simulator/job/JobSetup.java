package io.quiver.simulator.job;

import io.quiver.core.order.SamplerKind;
import io.quiver.simulator.cluster.SimulatedDataset;
import io.quiver.simulator.cluster.Stock;
import io.quiver.simulator.model.Gpu;
import io.quiver.simulator.model.Link;
import io.quiver.simulator.model.Machine;
import java.util.List;

/**
 * The parts of a simulated job.
 *
 * @param index its place in the scenario
 * @param name its name, unique
 * @param dataset what it reads
 * @param stock what lies of that on servers
 * @param machine where it runs
 * @param storeName what the store is called
 * @param storePath the links its reads from the store pass
 * @param batch how many items it takes at a time
 * @param gpu how long it works on them
 * @param gpus how many GPUs wait when it waits
 * @param epochs how many epochs it runs at most
 * @param batches how many batches it runs at most
 * @param nanos how long it runs at most
 * @param sampler how it puts epochs in order
 * @param caching what it does with the cache
 * @param loader how it reads
 * @param roundTripNanos how long a question to a server takes
 * @param seed decides its orders
 */
public record JobSetup(
    int index,
    String name,
    SimulatedDataset dataset,
    Stock stock,
    Machine machine,
    String storeName,
    List<Link> storePath,
    int batch,
    Gpu gpu,
    int gpus,
    int epochs,
    long batches,
    long nanos,
    SamplerKind sampler,
    Caching caching,
    LoaderModel loader,
    long roundTripNanos,
    long seed) {
  /** Returns how many items are read from the store together. */
  int fetchItems() {
    return Math.clamp(loader.fetchBytes() / dataset.itemBytes(), 1, Integer.MAX_VALUE);
  }
}
