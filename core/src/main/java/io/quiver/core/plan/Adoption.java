package io.quiver.core.plan;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.chunk.PlannedChunk;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the state that a manager begins with which does not remember a data set. */
final class Adoption {
  private Adoption() {}

  static DatasetState adopt(
      ChunkRules rules,
      List<Observed<JobReport>> reports,
      Observations seen,
      long share,
      long version) {
    JobReport first = reports.getFirst().report();
    @Nullable DatasetPlan held =
        reports.stream()
            .map(Observed::report)
            .filter(report -> report.held() != null && report.planVersion() > 0)
            .max(Comparator.comparingLong(JobReport::planVersion))
            .map(JobReport::held)
            .orElse(null);
    if (held != null && held.items() == first.items()) {
      return fromPlan(held, seen.now(), version);
    }
    return fromSpaces(rules, reports, seen, share, version);
  }

  private static DatasetState fromPlan(DatasetPlan held, long now, long version) {
    List<PlannedChunk> plannedChunks =
        held.held().stream().map(chunk -> PlannedChunk.adopted(chunk, now)).toList();
    int cursor =
        plannedChunks.isEmpty() ? 0 : (plannedChunks.getLast().chunk() + 1) % held.chunks();
    DatasetState.Division division =
        new DatasetState.Division(held.dataset(), held.items(), held.bytes(), held.chunks());
    return new DatasetState(division, held.ring(), plannedChunks, cursor, version, now);
  }

  /** Goes on with what servers hold from earlier, which jobs will look through again. */
  private static DatasetState fromSpaces(
      ChunkRules rules,
      List<Observed<JobReport>> reports,
      Observations seen,
      long share,
      long version) {
    JobReport first = reports.getFirst().report();
    List<DatasetKey.ChunkSpace> spaces =
        seen.servers().stream()
            .flatMap(server -> server.report().spaces().keySet().stream())
            .flatMap(name -> DatasetKey.parse(name).stream())
            .filter(space -> space.dataset().equals(first.dataset()))
            .filter(space -> space.chunk() < space.chunks() && space.chunks() <= first.items())
            .distinct()
            .sorted(Comparator.comparingInt(DatasetKey.ChunkSpace::chunk))
            .toList();
    int chunks = spaces.isEmpty() ? choose(rules, reports, share) : spaces.getFirst().chunks();
    List<PlannedChunk> plannedChunks = new ArrayList<>();
    long generation = version;
    for (DatasetKey.ChunkSpace space : spaces) {
      if (space.chunks() == chunks) {
        plannedChunks.add(PlannedChunk.loading(space.chunk(), generation++, ChunkRole.PINNED));
      }
    }
    DatasetState.Division division =
        new DatasetState.Division(first.dataset(), first.items(), first.bytes(), chunks);
    return new DatasetState(division, false, plannedChunks, 0, generation, seen.now());
  }

  /** Returns the number of chunks for a data set that these jobs read, with this budget. */
  static int choose(ChunkRules rules, List<Observed<JobReport>> reports, long budget) {
    JobReport first = reports.getFirst().report();
    int batch = reports.stream().mapToInt(each -> each.report().batch()).max().orElse(1);
    return rules.chunks(first.items(), first.bytes(), batch, budget);
  }
}
