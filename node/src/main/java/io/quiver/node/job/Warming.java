package io.quiver.node.job;

import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.ServerAddress;
import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.node.NodeException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Brings a data set into the cache before a job needs it. To the manager it is a job that reads
 * nothing: everything that fits is pinned, it loads what the plan says is loading, and what it
 * brought in stays when it has left, until somebody needs the bytes. In the end it believes nobody:
 * every item of every chunk is looked up, and some are read back.
 */
public final class Warming {
  private final LoaderConfig config;
  private final DatasetDigest digest;
  private final long capacity;
  private final int readBack;
  private final Consumer<WarmProgress> watcher;

  /**
   * Warms the data set of a job.
   *
   * @param capacity what the servers offer together, to tell how far it is
   * @param readBack how many items are read back in the end
   */
  public Warming(LoaderConfig config, long capacity, int readBack, Consumer<WarmProgress> watcher) {
    this.config = config.withWarming(true);
    this.digest = config.digest();
    this.capacity = capacity;
    this.readBack = readBack;
    this.watcher = watcher;
  }

  /** Does it all. */
  public WarmResult run() throws NodeException, InterruptedException {
    long begin = System.nanoTime();
    try (BatchLoader loader = BatchLoader.open(config)) {
      JobPlan plan = new ChunkLoading(loader, capacity, watcher).await();
      List<ServerAddress> servers = ServerAddress.ofPlan(plan.members());
      try (CacheClient client = CacheClient.connect(clientConfig(servers))) {
        client.changeServers(servers);
        DatasetPlan dataset = Objects.requireNonNull(plan.dataset());
        return look(dataset, new Residents(digest, client), loader.statistics(), begin);
      }
    }
  }

  private ClientConfig clientConfig(List<ServerAddress> servers) {
    return ClientConfig.of(servers.stream().map(ServerAddress::uri).toList())
        .withJob(config.job())
        .withCredentials(config.credentials());
  }

  private WarmResult look(
      DatasetPlan plan, Residents residents, LoaderStatistics statistics, long begin)
      throws NodeException {
    List<Integer> chunks =
        plan.held().stream()
            .filter(each -> each.role() == ChunkRole.PINNED && each.state() == ChunkState.ACTIVE)
            .map(ChunkEntry::chunk)
            .toList();
    if (chunks.isEmpty()) {
      throw new NodeException(
          "the cache has no bytes left for a chunk of this data set; see quiver stat, and raise"
              + " quiver up --capacity");
    }
    int[] planned = members(new ChunkLayout(plan.items(), plan.chunks()), chunks);
    int[] found = residents.present(planned, showing(WarmProgress.Phase.LOOKING, bytes(planned)));
    int[] chosen = sample(found);
    int unreadable =
        residents.unreadable(chosen, showing(WarmProgress.Phase.READING, bytes(chosen)));
    return new WarmResult(
        JobLedger.dataset(config),
        plan.items(),
        plan.bytes(),
        plan.chunks(),
        chunks.size(),
        found.length,
        bytes(found),
        planned.length - found.length,
        chosen.length,
        unreadable,
        statistics.store().reads(),
        statistics.store().bytes(),
        Math.round((System.nanoTime() - begin) / 1e6) / 1e3,
        new MissingReason(digest, config.store()).of(planned, found));
  }

  private static int[] members(ChunkLayout layout, List<Integer> chunks) {
    return chunks.stream()
        .flatMapToInt(chunk ->
            IntStream.range(0, layout.size(chunk)).map(place -> layout.member(chunk, place)))
        .toArray();
  }

  private LongConsumer showing(WarmProgress.Phase phase, long all) {
    return done -> watcher.accept(new WarmProgress(phase, done, all));
  }

  private long bytes(int[] items) {
    return Arrays.stream(items).mapToLong(digest::size).sum();
  }

  /**
   * Returns some of the items, any of them as likely as any other, in the order of the data set.
   */
  private int[] sample(int[] items) {
    if (items.length <= readBack) {
      return items;
    }
    return new Random(config.seed())
        .ints(0, items.length)
        .distinct()
        .limit(readBack)
        .sorted()
        .map(place -> items[place])
        .toArray();
  }

  /**
   * The progress of a data set that is being brought into the cache.
   *
   * @param phase what is being done
   * @param bytes bytes done in this phase
   * @param all bytes there will be, as far as is known
   */
  public record WarmProgress(Phase phase, long bytes, long all) {
    /** The phases of warming. */
    public enum Phase {
      /** Chunks are brought in. */
      LOADING,
      /** Every item is looked up. */
      LOOKING,
      /** Items are read back and hashed. */
      READING
    }
  }
}
