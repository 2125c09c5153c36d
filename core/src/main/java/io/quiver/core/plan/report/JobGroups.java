package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkCounts;
import io.quiver.core.plan.chunk.ChunkGeneration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Merges the reports of the processes of one distributed job into the report of one logical job, so
 * that its ranks count as one reader of the data set: they get pins rather than a ring, and one
 * probe. Ranks wait for each other at every step, so all members of a group read the store while it
 * is probed: one rank alone would slow the others and measure a store that they do not read.
 */
public final class JobGroups {
  private record Key(String group, DatasetKey dataset) {}

  private JobGroups() {}

  /** Returns one report for each group and data set, named after the group. */
  public static List<Observed<JobReport>> merge(List<Observed<JobReport>> jobs) {
    if (jobs.stream().allMatch(job -> job.report().isAlone())) {
      return jobs;
    }
    Map<Key, List<Observed<JobReport>>> groups = new LinkedHashMap<>();
    for (Observed<JobReport> job : jobs) {
      Key key = new Key(job.report().group(), job.report().dataset());
      groups.computeIfAbsent(key, any -> new ArrayList<>()).add(job);
    }
    return groups.values().stream().map(JobGroups::together).toList();
  }

  /** Returns the names of the members of each group, in order. */
  public static Map<String, List<String>> members(List<Observed<JobReport>> jobs) {
    return jobs.stream()
        .map(Observed::report)
        .sorted(Comparator.comparing(JobReport::job))
        .collect(
            Collectors.groupingBy(
                JobReport::group, Collectors.mapping(JobReport::job, Collectors.toList())));
  }

  private static Observed<JobReport> together(List<Observed<JobReport>> observed) {
    if (observed.size() == 1 && observed.getFirst().report().isAlone()) {
      return observed.getFirst();
    }
    List<JobReport> members =
        observed.stream()
            .map(Observed::report)
            .sorted(Comparator.comparing(JobReport::job))
            .toList();
    long latest = observed.stream().mapToLong(Observed::at).max().orElseThrow();
    return new Observed<>(together(members, members.getFirst()), latest);
  }

  private static JobReport together(List<JobReport> members, JobReport first) {
    int epoch = members.stream().mapToInt(JobReport::epoch).min().orElseThrow();
    JobReport newest =
        members.stream().max(Comparator.comparingLong(JobReport::planVersion)).orElseThrow();
    long batch = members.stream().mapToLong(JobReport::batch).sum();
    return JobReport.of(
            first.group(),
            first.instance(),
            first.dataset(),
            first.items(),
            first.bytes(),
            (int) Math.min(batch, Bounds.MAX_BATCHES))
        .sequence(first.sequence())
        .epoch(epoch, members.stream().allMatch(JobReport::lastEpoch))
        .remaining(remaining(members, epoch))
        .loaded(loaded(members))
        .times(
            Timing.together(members.stream().map(JobReport::itemSeconds).toList(), members.size()),
            members.stream().mapToDouble(JobReport::idleSeconds).min().orElse(0))
        .following(newest.planVersion(), newest.held())
        .warming(members.stream().allMatch(JobReport::warming))
        .traits(traits(members, first.traits()))
        .speeds(
            JobSpeeds.together(members.stream().map(JobReport::speeds).toList(), members.size()))
        .unread(
            members.stream()
                .map(JobReport::unread)
                .filter(unread -> !unread.isEmpty())
                .findFirst()
                .orElse(List.of()))
        .build();
  }

  /**
   * Adds the items that are left, at most all of them; empty while some member does not know the
   * division.
   */
  private static List<Integer> remaining(List<JobReport> members, int epoch) {
    int items = members.getFirst().items();
    int[] sum = new int[members.getFirst().chunks()];
    for (JobReport member : members) {
      if (member.chunks() != sum.length) {
        return List.of();
      }
      // A member in a later epoch has nothing left of this one.
      for (int i = 0; i < sum.length && member.epoch() == epoch; i++) {
        sum[i] = (int) Math.min(items, (long) sum[i] + member.remaining().get(i));
      }
    }
    return ChunkCounts.of(sum);
  }

  private static List<ChunkGeneration> loaded(List<JobReport> members) {
    Set<ChunkGeneration> united = new LinkedHashSet<>();
    members.forEach(member -> united.addAll(member.loaded()));
    return List.copyOf(united);
  }

  private static JobTraits traits(List<JobReport> members, JobTraits first) {
    long gpus = members.stream().mapToLong(member -> member.traits().gpus()).sum();
    return new JobTraits(first.user(), (int) Math.min(gpus, JobTraits.MAX_GPUS), first.store());
  }
}
