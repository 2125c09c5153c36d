package io.quiver.simulator;

import io.quiver.simulator.check.Judge;
import io.quiver.simulator.check.Judge.Violation;
import io.quiver.simulator.cluster.Cluster;
import io.quiver.simulator.cluster.CountedCache;
import io.quiver.simulator.cluster.DatasetCache;
import io.quiver.simulator.cluster.FullCache;
import io.quiver.simulator.cluster.ItemizedCache;
import io.quiver.simulator.cluster.ManagerNode;
import io.quiver.simulator.cluster.SimulatedDataset;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.job.JobSetup;
import io.quiver.simulator.job.SimulatedJob;
import io.quiver.simulator.model.Machine;
import io.quiver.simulator.model.Store;
import io.quiver.simulator.result.Collector;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.Scenario.DatasetSpec;
import io.quiver.simulator.scenario.Scenario.Incident;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario.Network;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
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

/** Runs a scenario: builds the cluster, lets time pass, and returns the result. */
public final class Simulation {
  /** Bound of every run: one that is not over by then never will be. */
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
  private final Map<String, List<SimulatedJob>> jobs = new LinkedHashMap<>();
  private final List<JobSpec> processes = new ArrayList<>();
  private int unfinished;

  private Simulation(Scenario scenario, long seed, EventLog log, List<? extends Trace> watchers) {
    this.scenario = scenario;
    this.seed = seed;
    this.log = log;
    this.judges = Judge.all(scenario.manager().planner().chunks().window());
    this.collector = new Collector(process -> processes.get(process).compute().gpus());
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

  /** Returns the manager; null where everything is cached, so that there is nothing to plan. */
  private @Nullable ManagerNode manager() {
    return scenario.inventory().fullyCached()
        ? null
        : new ManagerNode(
            engine,
            trace,
            scenario.manager(),
            scenario.network(),
            SeededNumbers.of(seed, "messages"));
  }

  private SimulationResult run() {
    Network network = scenario.network();
    for (String name : scenario.inventory().machines()) {
      machines.put(
          name, new Machine(engine, name, network.bytesPerSecond(), network.latencyNanos()));
    }
    scenario
        .inventory()
        .stores()
        .forEach(store -> stores.put(store.name(), new Store(engine, store)));
    scenario.inventory().datasets().forEach(this::add);
    if (cluster.manager() != null) {
      cluster.manager().start();
    }
    scenario.inventory().servers().forEach(this::join);
    scenario.jobs().forEach(this::add);
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

  private void add(DatasetSpec spec) {
    int index = datasets.size();
    datasets.put(spec.name(), index);
    boolean named = !spec.aggregate();
    SimulatedDataset dataset =
        new SimulatedDataset(index, spec.name(), spec.items(), spec.itemBytes(), named, seed);
    cluster.catalog().add(cache(dataset));
    trace.dataset(engine.now(), index, spec.name(), spec.items(), named);
  }

  private DatasetCache cache(SimulatedDataset dataset) {
    if (scenario.inventory().fullyCached()) {
      return new FullCache(dataset);
    }
    return dataset.named()
        ? new ItemizedCache(engine, dataset, cluster.servers())
        : new CountedCache(
            dataset, cluster.servers(), SeededNumbers.of(seed, "stock of " + dataset.name()));
  }

  private void join(ServerSpec spec) {
    cluster.join(spec, Objects.requireNonNull(machines.get(spec.machine())));
  }

  private void add(JobSpec spec) {
    List<SimulatedJob> ranks = new ArrayList<>();
    for (int rank = 0; rank < spec.machines().size(); rank++) {
      JobSetup setup = setup(spec, rank);
      processes.add(spec);
      SimulatedJob process = new SimulatedJob(engine, trace, setup, cluster, this::ended);
      ranks.add(process);
      unfinished++;
      engine.at(spec.startNanos(), any -> process.start(), 0);
    }
    jobs.put(spec.name(), ranks);
  }

  private JobSetup setup(JobSpec spec, int rank) {
    int number = Objects.requireNonNull(datasets.get(spec.dataset()));
    String store = scenario.inventory().datasets().get(number).store();
    return new JobSetup(
        processes.size(),
        spec,
        rank,
        cluster.catalog().cache(number),
        Objects.requireNonNull(machines.get(spec.machines().get(rank))),
        Objects.requireNonNull(stores.get(store)),
        scenario.loader(),
        seed);
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
      case Incident.JobKilled killed ->
          Objects.requireNonNull(jobs.get(killed.job())).forEach(SimulatedJob::kill);
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
        new SimulationResult.Run(
            engine.now() / NANOS,
            collector.plans(),
            engine.events(),
            HexFormat.of().toHexDigits(hash)),
        collector.jobs(engine.now()),
        collector.timeline(),
        collector.residencies(),
        violations);
  }
}
