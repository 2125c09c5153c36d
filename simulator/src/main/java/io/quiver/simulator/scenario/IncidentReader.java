package io.quiver.simulator.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads what happens to the cluster of a scenario. */
final class IncidentReader {
  private final Names machines;
  private final Names servers;
  private final Names jobs;

  IncidentReader(Names machines, Names servers, Names jobs) {
    this.machines = machines;
    this.servers = servers;
    this.jobs = jobs;
  }

  List<Incident> read(YamlKeys top) {
    List<Incident> incidents = new ArrayList<>();
    for (YamlKeys keys : top.list("events")) {
      incidents.add(incident(keys, Units.seconds(keys.number("at_s", 0, Units.MAX_SECONDS))));
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
              + " things happen; say one of kill_job, kill_server, join_server, kill_manager and"
              + " start_manager");
    }
    return said.getFirst();
  }

  private ServerSpec joining(YamlKeys keys) {
    String machine = machines.one(keys, "machine");
    ServerSpec like = ScenarioReader.server(keys, new Names("server"), machine);
    String name = servers.add(keys, keys.text("join_server"));
    return new ServerSpec(name, machine, like.cacheBytes(), like.diskBytesPerSecond());
  }
}
