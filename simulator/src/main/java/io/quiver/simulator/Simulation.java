package io.quiver.simulator;

import io.quiver.simulator.check.Judge;
import io.quiver.simulator.check.Violation;
import io.quiver.simulator.cluster.Cluster;
import io.quiver.simulator.cluster.CountedStock;
import io.quiver.simulator.cluster.FullStock;
import io.quiver.simulator.cluster.KeptStock;
import io.quiver.simulator.cluster.ManagerNode;
import io.quiver.simulator.cluster.NamedStock;
import io.quiver.simulator.cluster.SimulatedDataset;
import io.quiver.simulator.cluster.Stock;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.job.Caching;
import io.quiver.simulator.job.JobSetup;
import io.quiver.simulator.job.SimulatedJob;
import io.quiver.simulator.model.Gpu;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.model.Store;
import io.quiver.simulator.result.Collector;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.DatasetSpec;
import io.quiver.simulator.scenario.Incident;
import io.quiver.simulator.scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.ServerSpec;
import io.quiver.simulator.scenario.StoreSpec;
import io.quiver.simulator.trace.EventLog;
import io.quiver.simulator.trace.Trace;
import io.quiver.simulator.trace.Watchers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a scenario: builds the cluster, lets time pass, and says what it came to. */
public final class Simulation {
  /** A run that is not over by then never will be. */
  private static final long LONGEST_NANOS = Duration.ofDays(3650).toNanos();

  private static final double NANOS = 1e9;

  private final Scenario scenario;
  private final long seed;
  private final Engine engine = new Engine();
  private final EventLog log;
  private final Collector collector;
  private final List<Judge> judges;
  private final Trace trace;
  private final Cluster cluster;
  private final Map<String, Machine> machines = new LinkedHashMap<>();
  private final Map<String, Store> stores = new LinkedHashMap<>();
  private final Map<String, Integer> datasets = new LinkedHashMap<>();
  private final Map<String, SimulatedJob> jobs = new LinkedHashMap<>();
  private int unfinished;

  private Simulation(Scenario scenario, long seed, EventLog log, List<? extends Trace> watchers) {
    this.scenario = scenario;
    this.seed = seed;
    this.log = log;
    this.judges = Judge.all(scenario.manager().planner().chunks().window());
    this.collector = new Collector(job -> scenario.jobs().get(job).gpus());
    List<Trace> all = new ArrayList<>(List.of(log, collector));
    all.addAll(judges);
    all.addAll(watchers);
    this.trace = new Watchers(all);
    this.cluster = new Cluster(engine, trace, manager());
  }

  /** Runs a scenario with a seed; the same two give the same result to the last bit. */
  public static SimulationResult run(Scenario scenario, long seed) {
    return new Simulation(scenario, seed, EventLog.hashing(), List.of()).run();
  }

  /** Runs a scenario before other watchers as well. */
  public static SimulationResult run(Scenario scenario, long seed, List<? extends Trace> watchers) {
    return new Simulation(scenario, seed, EventLog.hashing(), watchers).run();
  }

  /** Runs a scenario and hands on a line for everything that happens. */
  public static SimulationResult run(Scenario scenario, long seed, Consumer<String> lines) {
    return new Simulation(scenario, seed, EventLog.to(lines), List.of()).run();
  }

  private @Nullable ManagerNode manager() {
    if (scenario.caching() != Caching.PLANNED) {
      return null;
    }
    return new ManagerNode(
        engine,
        trace,
        scenario.manager(),
        scenario.controlDelayNanos(),
        scenario.turnNanos(),
        SeededNumbers.of(seed, "messages"));
  }

  private SimulationResult run() {
    for (String name : scenario.machines()) {
      double rate = scenario.networkBytesPerSecond();
      machines.put(name, new Machine(engine, name, rate, scenario.networkLatencyNanos()));
    }
    scenario.stores().forEach(this::add);
    scenario.datasets().forEach(this::add);
    if (cluster.manager() != null) {
      cluster.manager().start();
    }
    scenario.servers().forEach(this::join);
    for (int index = 0; index < scenario.jobs().size(); index++) {
      add(index, scenario.jobs().get(index));
    }
    scenario
        .incidents()
        .forEach(incident -> engine.at(incident.atNanos(), any -> happen(incident), 0));
    if (!engine.run(LONGEST_NANOS)) {
      throw new IllegalStateException(
          scenario.name() + ": no end in sight after ten years; " + unfinished + " jobs still run");
    }
    trace.ended(engine.now());
    return result();
  }

  private void add(StoreSpec spec) {
    stores.put(
        spec.name(),
        new Store(
            engine,
            spec.name(),
            spec.machineBytesPerSecond(),
            spec.sharedBytesPerSecond(),
            spec.latencyNanos()));
  }

  private void add(DatasetSpec spec) {
    int index = datasets.size();
    datasets.put(spec.name(), index);
    boolean named = !spec.aggregate();
    SimulatedDataset dataset =
        new SimulatedDataset(index, spec.name(), spec.items(), spec.itemBytes(), named, seed);
    cluster.catalog().add(dataset, stock(dataset));
    trace.dataset(engine.now(), index, spec.name(), spec.items(), named);
  }

  private Stock stock(SimulatedDataset dataset) {
    return switch (scenario.caching()) {
      case LRU -> new KeptStock(dataset, cluster.servers());
      case ALL -> new FullStock(dataset);
      case NONE, PLANNED ->
          dataset.named()
              ? new NamedStock(engine, dataset, cluster.servers())
              : new CountedStock(
                  dataset, cluster.servers(), SeededNumbers.of(seed, "stock of " + dataset.name()));
    };
  }

  private void join(ServerSpec spec) {
    Machine machine = Objects.requireNonNull(machines.get(spec.machine()));
    cluster.join(spec.name(), machine, spec.diskBytesPerSecond(), spec.cacheBytes());
  }

  private void add(int index, JobSpec spec) {
    int number = Objects.requireNonNull(datasets.get(spec.dataset()));
    Machine machine = Objects.requireNonNull(machines.get(spec.machine()));
    String store = scenario.datasets().get(number).store();
    JobSetup setup =
        new JobSetup(
            index,
            spec.name(),
            cluster.catalog().dataset(number),
            cluster.catalog().stock(number),
            machine,
            store,
            Objects.requireNonNull(stores.get(store)).pathTo(machine),
            spec.batch(),
            new Gpu(
                spec.computeNanos(), spec.jitter(), SeededNumbers.of(seed, "gpu " + spec.name())),
            spec.gpus(),
            spec.epochs(),
            spec.batches(),
            spec.nanos(),
            spec.sampler(),
            scenario.caching(),
            scenario.loader(),
            2 * scenario.networkLatencyNanos(),
            SeededNumbers.derive(seed, "job " + spec.name()));
    SimulatedJob job = new SimulatedJob(engine, trace, setup, cluster, this::ended);
    jobs.put(spec.name(), job);
    unfinished++;
    engine.at(spec.startNanos(), any -> job.start(), 0);
  }

  private void ended() {
    unfinished--;
    if (unfinished == 0) {
      engine.stop();
    }
  }

  private void happen(Incident incident) {
    ManagerNode manager = cluster.manager();
    switch (incident) {
      case Incident.JobKilled killed -> Objects.requireNonNull(jobs.get(killed.job())).kill();
      case Incident.ServerKilled killed -> cluster.kill(killed.server());
      case Incident.ServerJoined joined -> join(joined.server());
      case Incident.ManagerKilled killed -> {
        if (manager != null) {
          manager.die();
        }
      }
      case Incident.ManagerStarted started -> {
        if (manager != null) {
          manager.start();
        }
      }
    }
  }

  private SimulationResult result() {
    List<Violation> violations =
        judges.stream().flatMap(judge -> judge.violations().stream()).toList();
    long hash = log.hash() ^ engine.fingerprint();
    return new SimulationResult(
        scenario.name(),
        seed,
        engine.now() / NANOS,
        collector.jobs(engine.now()),
        collector.timeline(),
        collector.stays(),
        collector.plans(),
        engine.events(),
        HexFormat.of().toHexDigits(hash),
        violations);
  }
}
