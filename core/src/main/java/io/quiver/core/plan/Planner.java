package io.quiver.core.plan;

import io.quiver.core.sampling.Pace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** From observations and the plan before to the next plan. Keeps nothing in between. */
public final class Planner {
  private final PlannerConfig config;
  private final PaceSetting pace;
  private final DatasetPlanner datasets;

  /** A planner that goes by these numbers. */
  public Planner(PlannerConfig config) {
    this.config = config;
    this.pace = new PaceSetting(config);
    this.datasets = new DatasetPlanner(config);
  }

  /**
   * The plan that follows; its version is larger only if somebody would see a difference.
   *
   * @param budget most bytes the plan may fill, whatever the servers offer
   */
  public Plan next(Plan before, Observations seen, long budget) {
    long version = Math.max(before.version(), latestVersion(seen));
    SortedMap<DatasetKey, List<Observed<JobReport>>> jobs = byDataset(seen.jobs());
    SortedMap<DatasetKey, DatasetState> states = new TreeMap<>(before.states());
    long room = Math.min(Headroom.usable(seen.servers(), seen.jobs()), budget);
    Map<DatasetKey, Long> shares = RoomDivision.divide(lengths(jobs), room);
    Map<String, Pace> paces = new HashMap<>();
    jobs.forEach((key, reports) -> {
      List<Worker> workers = pace.judge(reports, before.paces(), seen.now());
      workers.forEach(worker -> paces.put(worker.job(), worker.pace()));
      long share = shares.getOrDefault(key, 0L);
      DatasetState known = states.get(key);
      DatasetState state =
          known != null ? known : Adoption.adopt(config, reports, seen, share, version);
      states.put(key, datasets.next(state, workers, share, seen.now()));
    });
    clearIdle(states, jobs, room);
    List<String> leftAlone = jobs.isEmpty() ? unknownSpaces(states, seen) : List.of();
    Plan next = new Plan(version, members(seen), states, paces, leftAlone);
    return next.looksLike(before) && version == before.version()
        ? next
        : new Plan(version + 1, members(seen), states, paces, leftAlone);
  }

  private static long latestVersion(Observations seen) {
    return LongStream.concat(
            seen.jobs().stream().mapToLong(job -> job.report().planVersion()),
            seen.servers().stream().mapToLong(server -> server.report().planVersion()))
        .max()
        .orElse(0);
  }

  private static SortedMap<DatasetKey, List<Observed<JobReport>>> byDataset(
      List<Observed<JobReport>> jobs) {
    return jobs.stream()
        .sorted(Comparator.comparing(job -> job.report().job()))
        .collect(
            Collectors.groupingBy(
                job -> job.report().dataset(), TreeMap::new, Collectors.toList()));
  }

  private static Map<DatasetKey, Long> lengths(
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs) {
    Map<DatasetKey, Long> lengths = new TreeMap<>();
    jobs.forEach((key, reports) -> lengths.put(key, reports.getFirst().report().bytes()));
    return lengths;
  }

  private static List<Member> members(Observations seen) {
    double total = seen.servers().stream().mapToLong(each -> each.report().usableBytes()).sum();
    return seen.servers().stream()
        .map(Observed::report)
        .sorted(Comparator.comparing(ServerReport::server))
        .map(each ->
            new Member(
                each.server(),
                each.uri(),
                total == 0 ? 1 : Math.max(each.usableBytes() / total, 1e-6)))
        .toList();
  }

  /** What servers hold from before this manager's time stays until somebody needs the room. */
  private static List<String> unknownSpaces(
      SortedMap<DatasetKey, DatasetState> states, Observations seen) {
    return seen.servers().stream()
        .flatMap(server -> server.report().spaces().stream())
        .filter(name ->
            DatasetKey.parse(name)
                .filter(space -> !states.containsKey(space.dataset()))
                .isPresent())
        .distinct()
        .sorted()
        .toList();
  }

  /** Data sets nobody reads keep what the others leave, the one used last the longest. */
  private static void clearIdle(
      SortedMap<DatasetKey, DatasetState> states,
      SortedMap<DatasetKey, List<Observed<JobReport>>> jobs,
      long room) {
    List<DatasetState> idle = new ArrayList<>();
    long left = room;
    for (DatasetState state : states.values()) {
      if (jobs.containsKey(state.dataset())) {
        left -= reserved(state, room);
      } else {
        idle.add(state);
      }
    }
    idle.sort(Comparator.comparingLong(DatasetState::usedAt).reversed());
    for (DatasetState state : idle) {
      int fit = DatasetPlanner.fitting(state, Math.max(left, 0));
      List<ChunkLife> kept = state.lives().stream().filter(ChunkLife::isWhole).limit(fit).toList();
      left -= (long) (kept.size() * state.chunkBytes());
      if (kept.isEmpty()) {
        states.remove(state.dataset());
      } else {
        states.put(state.dataset(), state.with(kept));
      }
    }
  }

  /** What a data set that is read holds or is about to. */
  private static long reserved(DatasetState state, long room) {
    return Math.min(room, (long) (state.lives().size() * state.chunkBytes()));
  }
}
