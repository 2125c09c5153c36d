package io.quiver.simulator.scenario;

import static io.quiver.simulator.scenario.Units.GIGA;
import static io.quiver.simulator.scenario.Units.MAX_GIGABYTES;
import static io.quiver.simulator.scenario.Units.MAX_MEGABYTES_PER_SECOND;
import static io.quiver.simulator.scenario.Units.MEGA;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.manager.ManagerConfig;
import io.quiver.simulator.job.Caching;
import io.quiver.simulator.job.LoaderModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** From a scenario file to a scenario. Everything is checked, with the line in every message. */
final class ScenarioReader {
  private static final double SMALLEST_RATE = 1e-6;
  private static final double MAX_LATENCY_MS = 60_000;
  private static final double STANDARD_NETWORK = 3000;
  private static final double STANDARD_DISK = 2000;
  private static final int MAX_COUNT = 100_000;
  private static final long MAX_FILE_BYTES = 16 << 20;
  private static final long MAX_SEED = 1L << 53;

  private final YamlKeys top;
  private final Names machines = new Names("machine");
  private final Names stores = new Names("store");
  private final Names servers = new Names("server");
  private final Names datasets = new Names("data set");
  private final Names jobs = new Names("job");

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
    return new ScenarioReader(new YamlKeys(file, "", NodeReader.read(file, yaml))).scenario();
  }

  private Scenario scenario() {
    String name = top.text("name", "unnamed");
    long seed = top.whole("seed", 1, -MAX_SEED, MAX_SEED);
    YamlKeys planner = top.group("planner");
    PlannerKind kind = kind(planner);
    Caching caching = caching(kind);
    YamlKeys network = top.group("network");
    double cardRate = rate(network, "mb_per_s", STANDARD_NETWORK);
    long latency = latency(network, 0.1);
    network.done();
    YamlKeys control = top.group("control");
    long delay = Units.millis(control.number("delay_ms", 1, 0, MAX_LATENCY_MS));
    long turn = Units.millis(control.number("turn_ms", 10, 0, MAX_LATENCY_MS));
    control.done();
    ManagerConfig manager = manager(planner, kind);
    LoaderModel loader = loader();
    List<StoreSpec> storeSpecs = stores();
    machines();
    List<ServerSpec> serverSpecs = servers();
    List<DatasetSpec> datasetSpecs = datasets();
    JobReader jobReader = new JobReader(machines, datasets, jobs);
    List<JobSpec> jobSpecs = jobReader.read(top);
    requireCache(caching, serverSpecs);
    List<Incident> incidents = new IncidentReader(machines, servers, jobs).read(top);
    top.done();
    return new Scenario(
        name,
        seed,
        caching,
        cardRate,
        latency,
        delay,
        turn,
        manager,
        loader,
        storeSpecs,
        machines.all(),
        serverSpecs,
        datasetSpecs,
        jobSpecs,
        incidents);
  }

  private Caching caching(PlannerKind kind) {
    String text = top.text("caching", Caching.PLANNED.text());
    for (Caching each : Caching.values()) {
      if (each.text().equals(text)) {
        return each == Caching.PLANNED ? under(kind) : each;
      }
    }
    throw top.error("caching", "is \"" + text + "\"; use planned, lru, none or all");
  }

  private void requireCache(Caching caching, List<ServerSpec> specs) {
    if (caching != Caching.NONE && specs.isEmpty()) {
      throw top.error("servers", "there are none; list one at least, or say \"caching: none\"");
    }
  }

  private static double rate(YamlKeys keys, String key, double otherwise) {
    return keys.number(key, otherwise, SMALLEST_RATE, MAX_MEGABYTES_PER_SECOND) * MEGA;
  }

  private static long latency(YamlKeys keys, double otherwise) {
    return Units.millis(keys.number("latency_ms", otherwise, 0, MAX_LATENCY_MS));
  }

  private static Caching under(PlannerKind kind) {
    return switch (kind) {
      case MARGINAL, GREEDY3 -> Caching.PLANNED;
      case LRU -> Caching.LRU;
      case NONE -> Caching.NONE;
    };
  }

  /** Reads the planner; {@code lru} and {@code none} are ways of caching without a manager. */
  private PlannerKind kind(YamlKeys keys) {
    String text = keys.text("kind", PlannerKind.MARGINAL.word());
    try {
      return PlannerKind.parse(text);
    } catch (IllegalArgumentException e) {
      throw keys.error("kind", "is \"" + text + "\"; use marginal, greedy3, lru or none");
    }
  }

  private ManagerConfig manager(YamlKeys keys, PlannerKind kind) {
    PlannerConfig standardPlanner = PlannerConfig.of(kind);
    ChunkRules usual = standardPlanner.chunks();
    long window = keys.whole("window", usual.window(), 2, 100);
    long leastPinned = keys.whole("least_pinned", usual.leastPinned(), 0, 10_000);
    long maxChunks = keys.whole("max_chunks", usual.maxChunks(), 1, 10_000);
    long batches = keys.whole("batches_per_window", usual.batchesPerWindow(), 1, 1_000_000);
    double chunkGigabytes =
        keys.number("max_chunk_gb", usual.maxChunkBytes() / GIGA, 1e-6, MAX_GIGABYTES);
    double budget = keys.number("budget_gb", MAX_GIGABYTES, 0, MAX_GIGABYTES);
    keys.done();
    ChunkRules chunks =
        usual
            .withWindow((int) window, (int) leastPinned)
            .withMaxChunks((int) maxChunks)
            .withSizes((int) batches, Math.round(chunkGigabytes * GIGA));
    PlannerConfig planner = standardPlanner.withChunks(chunks);
    ManagerConfig standard = ManagerConfig.DEFAULT;
    return standard.withPlanner(planner).withBudget(Math.round(budget * GIGA));
  }

  private LoaderModel loader() {
    YamlKeys keys = top.group("loader");
    LoaderModel usual = LoaderModel.STANDARD;
    LoaderModel loader =
        new LoaderModel(
            (int) keys.whole("depth", usual.depth(), 1, 1024),
            Math.round(keys.number("fetch_mb", usual.fetchBytes() / MEGA, 1e-6, 1e6) * MEGA),
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
      double machine = rate(keys, "machine_mb_per_s", MAX_MEGABYTES_PER_SECOND);
      OptionalDouble shared =
          keys.has("shared_mb_per_s")
              ? OptionalDouble.of(rate(keys, "shared_mb_per_s", 0))
              : OptionalDouble.empty();
      specs.add(new StoreSpec(name, machine, shared, latency(keys, 0)));
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
        specs.add(server(keys, servers, machine));
      }
      keys.done();
    }
    return specs;
  }

  static ServerSpec server(YamlKeys keys, Names names, String machine) {
    String name = names.add(keys, machine);
    long cache = Math.round(keys.number("cache_gb", 0, MAX_GIGABYTES) * GIGA);
    return new ServerSpec(name, machine, cache, rate(keys, "disk_mb_per_s", STANDARD_DISK));
  }

  private List<DatasetSpec> datasets() {
    List<DatasetSpec> specs = new ArrayList<>();
    for (YamlKeys keys : top.list("datasets")) {
      String name = datasets.add(keys, keys.text("name"));
      String store = stores.one(keys, "store");
      int items = (int) keys.whole("items", 1, Integer.MAX_VALUE);
      double gigabytes = keys.number("gb", 0, MAX_GIGABYTES);
      long itemBytes = Math.round(gigabytes * GIGA / items);
      if (itemBytes < 1) {
        throw keys.error(
            "gb", "is " + gigabytes + " for " + items + " items; each needs a byte at least");
      }
      specs.add(new DatasetSpec(name, store, items, itemBytes, keys.flag("aggregate", false)));
      keys.done();
    }
    return specs;
  }
}
