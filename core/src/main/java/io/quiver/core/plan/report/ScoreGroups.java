package io.quiver.core.plan.report;

import io.quiver.core.plan.allocate.DatasetKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows which columns of scores the jobs of a group offer each other. A group belongs to a data
 * set: jobs on another one that use the name are another group. Who does not name a group is told
 * nothing of it.
 */
public final class ScoreGroups {
  /** Groups without a member. */
  public static final ScoreGroups NONE = new ScoreGroups(Map.of());

  private record Key(String group, DatasetKey dataset) {}

  /** An offer, and the process that made it. */
  private record Offered(String job, ScoreOffer offer) {}

  private final Map<Key, List<Offered>> groups;

  private ScoreGroups(Map<Key, List<Offered>> groups) {
    this.groups = groups;
  }

  /** Collects the offers of all processes. */
  public static ScoreGroups of(Collection<JobReport> jobs) {
    Map<Key, List<Offered>> groups = new HashMap<>();
    for (JobReport job : jobs) {
      for (ScoreOffer offer : job.scores()) {
        if (offer.column() != null) {
          groups
              .computeIfAbsent(new Key(offer.group(), job.dataset()), any -> new ArrayList<>())
              .add(new Offered(job.job(), offer));
        }
      }
    }
    return groups.isEmpty() ? NONE : new ScoreGroups(groups);
  }

  /** Returns the columns of the others in the groups that a job listens to, the latest first. */
  public List<ScoreOffer> columnsFor(JobReport job) {
    return job.scores().stream()
        .filter(ScoreOffer::listens)
        .map(offer -> groups.get(new Key(offer.group(), job.dataset())))
        .flatMap(offers -> others(offers, job).stream())
        .sorted(Comparator.comparingInt(ScoreOffer::round).reversed())
        .limit(ScoreBoard.MAX_COLUMNS)
        .toList();
  }

  private static List<ScoreOffer> others(@Nullable List<Offered> offers, JobReport job) {
    return offers == null
        ? List.of()
        : offers.stream().filter(each -> !each.job.equals(job.job())).map(Offered::offer).toList();
  }
}
