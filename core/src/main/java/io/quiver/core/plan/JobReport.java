package io.quiver.core.plan;

import io.quiver.core.benefit.JobSpeeds;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a job says of itself in a heartbeat. Durations, never times of day: clocks jump.
 *
 * @param job its name, unique among the jobs that run
 * @param instance chosen at random when it started: tells it from another of the same name
 * @param sequence grows with every report, so that an overtaken one is recognised
 * @param dataset which data set it reads
 * @param items how many items that has
 * @param bytes how long they are together
 * @param batch how many items it takes at a time, all its ranks together
 * @param epoch the epoch it is in
 * @param lastEpoch whether it ends after this one
 * @param chunks the division its counts refer to; 0 before it has seen a plan
 * @param remaining for each chunk, how many items it has yet to read in this epoch
 * @param loaded generations of chunks it found whole in the cache, or as whole as they will be
 * @param itemSeconds how long it works on an item when it never waits; 0 while unknown
 * @param idleSeconds for how long its training loop has not asked for a batch
 * @param leaving whether this is its last report
 * @param planVersion the plan it acts upon; 0 for none
 * @param held that plan's part for its data set, from which a new manager goes on
 * @param warming whether it brings the data set in for jobs to come and reads none of it itself
 * @param traits what it is beside what it reads
 * @param speeds what it has measured of itself
 */
public record JobReport(
    String job,
    String instance,
    long sequence,
    DatasetKey dataset,
    int items,
    long bytes,
    int batch,
    int epoch,
    boolean lastEpoch,
    int chunks,
    List<Integer> remaining,
    List<ChunkGeneration> loaded,
    double itemSeconds,
    double idleSeconds,
    boolean leaving,
    long planVersion,
    @Nullable DatasetPlan held,
    boolean warming,
    JobTraits traits,
    JobSpeeds speeds) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,128}");

  /** Keeps its own copies and refuses what cannot be; reports of older jobs lack the last two. */
  public JobReport {
    traits = orElse(traits, JobTraits.UNKNOWN);
    speeds = orElse(speeds, JobSpeeds.NONE);
    remaining = ChunkCounts.copyOf(remaining);
    loaded = List.copyOf(loaded);
    if (!NAME.matcher(job).matches()) {
      throw new IllegalArgumentException(
          "not a job's name: \"" + job + "\"; use letters, digits, '.', '_' and '-'");
    }
    if (items < 1 || bytes < 0 || batch < 1 || epoch < 0) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": batches of "
              + batch
              + " in epoch "
              + epoch
              + " of "
              + items
              + " items with "
              + bytes
              + " bytes");
    }
    if (remaining.size() != chunks) {
      throw new IllegalArgumentException(
          "job " + job + ": " + remaining.size() + " counts for " + chunks + " chunks");
    }
    if (!(itemSeconds >= 0) || !(idleSeconds >= 0)) {
      throw new IllegalArgumentException(
          "job " + job + ": " + itemSeconds + " s per item, idle for " + idleSeconds + " s");
    }
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return Objects.requireNonNullElse(value, otherwise);
  }

  /** The same of a job that is this. */
  public JobReport with(JobTraits others) {
    return with(others, speeds);
  }

  /** The same of a job that has measured this. */
  public JobReport with(JobSpeeds measured) {
    return with(traits, measured);
  }

  private JobReport with(JobTraits others, JobSpeeds measured) {
    return new JobReport(
        job,
        instance,
        sequence,
        dataset,
        items,
        bytes,
        batch,
        epoch,
        lastEpoch,
        chunks,
        remaining,
        loaded,
        itemSeconds,
        idleSeconds,
        leaving,
        planVersion,
        held,
        warming,
        others,
        measured);
  }
}
