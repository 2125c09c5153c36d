package io.quiver.simulator.scenario;

import io.quiver.simulator.scenario.Scenario.Incident;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the incidents of a scenario. */
final class IncidentReader {
  private final DeclaredNames machines;
  private final DeclaredNames servers;
  private final DeclaredNames jobs;
  private final Map<String, ServerSpec> specs = new HashMap<>();

  IncidentReader(
      DeclaredNames machines,
      DeclaredNames servers,
      List<ServerSpec> serverSpecs,
      DeclaredNames jobs) {
    this.machines = machines;
    this.servers = servers;
    this.jobs = jobs;
    serverSpecs.forEach(spec -> specs.put(spec.name(), spec));
  }

  List<Incident> read(YamlKeys top) {
    List<Incident> incidents = new ArrayList<>();
    for (YamlKeys keys : top.list("events")) {
      incidents.add(incident(keys, YamlKeys.nanos(keys.number("at_s", 0, YamlKeys.MAX_SECONDS))));
      keys.done();
    }
    incidents.sort(Comparator.comparingLong(Incident::atNanos));
    return incidents;
  }

  private Incident incident(YamlKeys keys, long at) {
    List<Incident> said = new ArrayList<>();
    if (keys.has("kill_job")) {
      said.add(new Incident.JobKilled(at, jobs.one(keys, "kill_job")));
    }
    if (keys.has("kill_server")) {
      said.add(new Incident.ServerKilled(at, servers.one(keys, "kill_server")));
    }
    if (keys.has("join_server")) {
      said.add(new Incident.ServerJoined(at, joining(keys)));
    }
    if (keys.has("start_server")) {
      String name = servers.one(keys, "start_server");
      said.add(new Incident.ServerJoined(at, Objects.requireNonNull(specs.get(name))));
    }
    if (keys.flag("kill_manager", false)) {
      said.add(new Incident.ManagerKilled(at));
    }
    if (keys.flag("start_manager", false)) {
      said.add(new Incident.ManagerStarted(at));
    }
    if (said.size() != 1) {
      throw keys.error(
          "at_s",
          said.size()
              + " things happen; say one of kill_job, kill_server, join_server, start_server,"
              + " kill_manager and start_manager");
    }
    return said.getFirst();
  }

  private ServerSpec joining(YamlKeys keys) {
    String machine = machines.one(keys, "machine");
    String name = servers.add(keys, keys.text("join_server"));
    ServerSpec spec = ScenarioReader.server(keys, name, machine);
    specs.put(name, spec);
    return spec;
  }
}
