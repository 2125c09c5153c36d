package io.quiver.simulator.scenario;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.manager.ManagerConfig;
import io.quiver.simulator.scenario.Scenario.DatasetSpec;
import io.quiver.simulator.scenario.Scenario.Incident;
import io.quiver.simulator.scenario.Scenario.Inventory;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario.LoaderSpec;
import io.quiver.simulator.scenario.Scenario.Network;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
import io.quiver.simulator.scenario.Scenario.StoreSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Makes a scenario of a scenario file. Everything is checked, with the line in every message. */
final class ScenarioReader {
  private static final double STANDARD_NETWORK = 3000;
  private static final double STANDARD_DISK = 2000;
  private static final int MAX_COUNT = 100_000;
  private static final long MAX_FILE_BYTES = 16 << 20;
  private static final long MAX_SEED = 1L << 53;

  private final YamlKeys top;
  private final DeclaredNames machines = new DeclaredNames("machine");
  private final DeclaredNames stores = new DeclaredNames("store");
  private final DeclaredNames servers = new DeclaredNames("server");
  private final DeclaredNames datasets = new DeclaredNames("data set");
  private final DeclaredNames jobs = new DeclaredNames("job");

  private ScenarioReader(YamlKeys top) {
    this.top = top;
  }

  static Scenario read(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new ScenarioException(file.toString(), 1, "longer than any scenario; is it one?");
      }
      return parse(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new ScenarioException(
          file.toString(), 1, "cannot be read (" + e.getMessage() + "); check the path");
    }
  }

  static Scenario parse(String file, String yaml) {
    return new ScenarioReader(new YamlKeys(file, "", YamlNode.read(file, yaml))).scenario();
  }

  private Scenario scenario() {
    String name = top.text("name", "unnamed");
    long seed = top.whole("seed", 1, -MAX_SEED, MAX_SEED);
    boolean fullyCached = top.flag("everything_cached", false);
    YamlKeys planner = top.group("planner");
    PlannerKind kind = kind(planner);
    if (top.has("caching")) {
      String text = top.text("caching");
      fullyCached |= text.equals("all");
      kind = cachingKind(text, kind);
    }
    Network network = network();
    ManagerConfig manager = manager(planner, kind);
    LoaderSpec loader = loader();
    List<StoreSpec> storeSpecs = stores();
    machines();
    List<ServerSpec> serverSpecs = servers();
    List<DatasetSpec> datasetSpecs = datasets(kind);
    List<JobSpec> jobSpecs = new JobReader(machines, datasets, jobs).read(top);
    if (serverSpecs.isEmpty() && (fullyCached || kind != PlannerKind.NONE)) {
      throw top.error(
          "servers", "there are none; list one at least, or say \"planner: {kind: none}\"");
    }
    List<Incident> incidents = new IncidentReader(machines, servers, serverSpecs, jobs).read(top);
    top.done();
    Inventory inventory =
        new Inventory(storeSpecs, machines.all(), serverSpecs, datasetSpecs, fullyCached);
    return new Scenario(name, seed, network, manager, loader, inventory, jobSpecs, incidents);
  }

  /** Reads the key that older files have for the planner's kind. */
  private PlannerKind cachingKind(String text, PlannerKind planner) {
    return switch (text) {
      case "planned", "all" -> planner;
      case "lru" -> PlannerKind.LRU;
      case "none" -> PlannerKind.NONE;
      default ->
          throw top.error(
              "caching",
              "is \""
                  + text
                  + "\"; use \"planner: {kind: marginal, greedy3, lru or none}\", or"
                  + " \"everything_cached: true\"");
    };
  }

  private Network network() {
    YamlKeys network = top.group("network");
    double rate = network.rate("mb_per_s", STANDARD_NETWORK);
    long latency = network.millis("latency_ms", 0.1);
    network.done();
    YamlKeys control = top.group("control");
    long delay = control.millis("delay_ms", 1);
    long cycle = control.millis("turn_ms", 10);
    control.done();
    return new Network(rate, latency, delay, cycle);
  }

  private PlannerKind kind(YamlKeys keys) {
    String text = keys.text("kind", PlannerKind.MARGINAL.word());
    try {
      return PlannerKind.parse(text);
    } catch (IllegalArgumentException e) {
      throw keys.error("kind", "is \"" + text + "\"; use marginal, greedy3, lru or none");
    }
  }

  private ManagerConfig manager(YamlKeys keys, PlannerKind kind) {
    PlannerConfig standard = PlannerConfig.of(kind);
    ChunkRules usual = standard.chunks();
    long window = keys.whole("window", usual.window(), 2, 100);
    long leastPinned = keys.whole("least_pinned", usual.leastPinned(), 0, 10_000);
    long maxChunks = keys.whole("max_chunks", usual.maxChunks(), 1, 10_000);
    long batches = keys.whole("batches_per_window", usual.batchesPerWindow(), 1, 1_000_000);
    long chunkBytes = keys.gigabytes("max_chunk_gb", usual.maxChunkBytes(), 1e-6);
    long budget = keys.gigabytes("budget_gb", Long.MAX_VALUE, 0);
    keys.done();
    ChunkRules chunks =
        usual
            .withWindow((int) window, (int) leastPinned)
            .withMaxChunks((int) maxChunks)
            .withSizes((int) batches, chunkBytes);
    return ManagerConfig.DEFAULT.withPlanner(standard.withChunks(chunks)).withBudget(budget);
  }

  private LoaderSpec loader() {
    YamlKeys keys = top.group("loader");
    LoaderSpec usual = LoaderSpec.STANDARD;
    LoaderSpec loader =
        new LoaderSpec(
            (int) keys.whole("depth", usual.depth(), 1, 1024),
            keys.megabytes("ahead_mb", usual.aheadBytes()),
            keys.megabytes("fetch_mb", usual.fetchBytes()),
            (int) keys.whole("preload_reads", usual.preloadReads(), 1, 4096),
            keys.flag("claims", usual.claims()),
            keys.flag("preload", usual.preload()));
    keys.done();
    return loader;
  }

  private List<StoreSpec> stores() {
    List<StoreSpec> specs = new ArrayList<>();
    for (YamlKeys keys : top.list("stores")) {
      String name = stores.add(keys, keys.text("name"));
      double machine = keys.rate("machine_mb_per_s");
      OptionalDouble shared =
          keys.has("shared_mb_per_s")
              ? OptionalDouble.of(keys.rate("shared_mb_per_s"))
              : OptionalDouble.empty();
      specs.add(new StoreSpec(name, machine, shared, keys.millis("latency_ms", 0)));
      keys.done();
    }
    return specs;
  }

  private void machines() {
    for (YamlKeys keys : top.list("machines")) {
      machines.addGroup(keys, keys.text("name"), (int) keys.whole("count", 1, 1, MAX_COUNT));
      keys.done();
    }
  }

  private List<ServerSpec> servers() {
    List<ServerSpec> specs = new ArrayList<>();
    for (YamlKeys keys : top.list("servers")) {
      for (String machine : machines.group(keys, "machine")) {
        specs.add(server(keys, servers.add(keys, machine), machine));
      }
      keys.done();
    }
    return specs;
  }

  static ServerSpec server(YamlKeys keys, String name, String machine) {
    long cache = Math.round(keys.gigabytes("cache_gb"));
    return new ServerSpec(name, machine, cache, keys.rate("disk_mb_per_s", STANDARD_DISK));
  }

  private List<DatasetSpec> datasets(PlannerKind kind) {
    List<DatasetSpec> specs = new ArrayList<>();
    for (YamlKeys keys : top.list("datasets")) {
      String name = datasets.add(keys, keys.text("name"));
      String store = stores.one(keys, "store");
      int items = (int) keys.whole("items", 1, Integer.MAX_VALUE);
      double bytes = keys.gigabytes("gb");
      long itemBytes = Math.round(bytes / items);
      if (itemBytes < 1) {
        throw keys.error(
            "gb", "is " + keys.text("gb") + " for " + items + " items; each needs a byte at least");
      }
      boolean aggregate = keys.flag("aggregate", false);
      if (aggregate && (kind == PlannerKind.LRU || kind == PlannerKind.PINNED)) {
        throw keys.error(
            "aggregate",
            "counts items by chunk, and "
                + kind.word()
                + " needs each of them; leave one of them out");
      }
      specs.add(new DatasetSpec(name, store, items, itemBytes, aggregate));
      keys.done();
    }
    return specs;
  }
}
