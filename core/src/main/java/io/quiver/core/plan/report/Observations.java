package io.quiver.core.plan.report;

import java.util.List;

/**
 * Everything a plan follows from: the latest report of each job, server and door whose lease has
 * not lapsed.
 *
 * @param jobs the jobs, in any order
 * @param servers the servers, in any order
 * @param now the time, in nanoseconds of a steady clock
 * @param preferences what people want of the plan
 * @param doors the doors, in any order
 */
public record Observations(
    List<Observed<JobReport>> jobs,
    List<Observed<ServerReport>> servers,
    long now,
    CachePreferences preferences,
    List<Observed<DoorReport>> doors) {
  /** Keeps its own copies. */
  public Observations {
    jobs = List.copyOf(jobs);
    servers = List.copyOf(servers);
    doors = List.copyOf(doors);
  }

  /** Creates observations without doors. */
  public Observations(
      List<Observed<JobReport>> jobs,
      List<Observed<ServerReport>> servers,
      long now,
      CachePreferences preferences) {
    this(jobs, servers, now, preferences, List.of());
  }

  /** Creates observations without preferences. */
  public Observations(
      List<Observed<JobReport>> jobs, List<Observed<ServerReport>> servers, long now) {
    this(jobs, servers, now, CachePreferences.NONE);
  }

  /** Returns a copy in which the processes of one distributed job are one job. */
  public Observations grouped() {
    return new Observations(JobGroups.merge(jobs), servers, now, preferences, doors);
  }

  /** Returns a copy with these doors. */
  public Observations withDoors(List<Observed<DoorReport>> others) {
    return new Observations(jobs, servers, now, preferences, others);
  }
}
