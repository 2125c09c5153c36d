package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.importance.ListCurve;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkCounts;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job's report in a heartbeat. Durations, never times of day: clocks jump.
 *
 * @param job its name, unique among the processes that run
 * @param group the distributed job that the process is a part of; its own name if it is alone
 * @param instance chosen at random when it started: tells it from another of the same name. A
 *     secret: who knows it may report in its name
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
 * @param unread for a job that reads by importance, the share of its reads that go to the store
 *     with each sixteenth of the data set cached, from none to all; empty for any other job
 * @param scores the job's part in groups that share scores of samples
 */
public record JobReport(
    String job,
    String group,
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
    JobSpeeds speeds,
    List<Double> unread,
    List<ScoreOffer> scores) {
  /** Keeps its own copies and refuses what cannot be; reports of older jobs lack some. */
  public JobReport {
    Bounds.name("job", job);
    group = orElse(group, "").isEmpty() ? job : Bounds.name("group", group);
    Bounds.secret("instance", instance);
    Bounds.whole("sequence", sequence, 0, Bounds.MAX_COUNT);
    Bounds.present("dataset", dataset);
    Bounds.whole("items", items, 1, Integer.MAX_VALUE);
    Bounds.whole("bytes", bytes, 0, Bounds.MAX_BYTES);
    Bounds.whole("batch", batch, 1, Bounds.MAX_BATCHES);
    Bounds.whole("epoch", epoch, 0, Bounds.MAX_BATCHES);
    Bounds.whole("chunks", chunks, 0, ChunkLayout.MAX_CHUNKS);
    remaining = counts(remaining, chunks, items);
    loaded = Bounds.list("loaded", loaded, ChunkLayout.MAX_CHUNKS);
    Bounds.measured("item_seconds", itemSeconds);
    Bounds.number("idle_seconds", idleSeconds, 0, Bounds.MAX_SECONDS);
    Bounds.whole("plan_version", planVersion, 0, Bounds.MAX_COUNT);
    traits = orElse(traits, JobTraits.UNKNOWN);
    speeds = orElse(speeds, JobSpeeds.NONE);
    unread = shares(orElse(unread, List.of()));
    scores = Bounds.list("scores", orElse(scores, List.of()), ScoreOffer.MAX_GROUPS);
    if (held != null && !held.dataset().equals(dataset)) {
      throw new IllegalArgumentException(
          "held is of data set " + held.dataset() + ", but dataset is " + dataset);
    }
  }

  private static ChunkCounts counts(@Nullable List<Integer> remaining, int chunks, int items) {
    List<Integer> counts = Bounds.present("remaining", remaining);
    if (counts.size() != chunks) {
      throw new IllegalArgumentException(
          "remaining has " + counts.size() + " counts, but chunks is " + chunks);
    }
    for (@Nullable Integer count : counts) {
      Bounds.whole("a count in remaining", Bounds.present("a count in remaining", count), 0, items);
    }
    return ChunkCounts.copyOf(counts);
  }

  private static List<Double> shares(List<Double> unread) {
    if (unread.isEmpty()) {
      return List.of();
    }
    int length = ListCurve.STEPS + 1;
    Bounds.whole("the length of unread", unread.size(), length, length);
    for (@Nullable Double share : unread) {
      Bounds.number("a share in unread", Bounds.present("a share in unread", share), 0, 1);
    }
    return List.copyOf(unread);
  }

  /** Returns true if the job reads lists with repeats, which it draws by importance. */
  public boolean readsByImportance() {
    return !unread.isEmpty();
  }

  /** Returns true if no other process belongs to the job, as far as it says. */
  boolean isAlone() {
    return group.equals(job);
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return Objects.requireNonNullElse(value, otherwise);
  }

  /** Begins a report of a job that reads a data set in batches of so many items. */
  public static Builder of(
      String job, String instance, DatasetKey dataset, int items, long bytes, int batch) {
    return new Builder(job, instance, dataset, items, bytes, batch);
  }

  /** Returns a copy for everybody to see; who knows the instance may report in its name. */
  public JobReport withoutSecret() {
    return copy(Bounds.fingerprint(instance))
        .scores(scores.stream().map(ScoreOffer::withoutSecret).toList())
        .build();
  }

  /** Begins a copy of this report. */
  public Builder copy() {
    return copy(instance);
  }

  private Builder copy(String other) {
    Builder copy =
        new Builder(job, other, dataset, items, bytes, batch)
            .group(group)
            .sequence(sequence)
            .epoch(epoch, lastEpoch)
            .remaining(remaining)
            .loaded(loaded)
            .times(itemSeconds, idleSeconds)
            .leaving(leaving)
            .warming(warming)
            .traits(traits)
            .speeds(speeds)
            .unread(unread)
            .scores(scores);
    return copy.following(planVersion, held);
  }

  /** Collects what a report says; what is left out is unknown or not so. */
  public static final class Builder {
    private final String job;
    private final String instance;
    private final DatasetKey dataset;
    private final int items;
    private final long bytes;
    private final int batch;
    private String group = "";
    private long sequence;
    private int epoch;
    private boolean lastEpoch;
    private List<Integer> remaining = List.of();
    private List<ChunkGeneration> loaded = List.of();
    private double itemSeconds;
    private double idleSeconds;
    private boolean leaving;
    private long planVersion;
    private @Nullable DatasetPlan held;
    private boolean warming;
    private JobTraits traits = JobTraits.UNKNOWN;
    private JobSpeeds speeds = JobSpeeds.NONE;
    private List<Double> unread = List.of();
    private List<ScoreOffer> scores = List.of();

    private Builder(
        String job, String instance, DatasetKey dataset, int items, long bytes, int batch) {
      this.job = job;
      this.instance = instance;
      this.dataset = dataset;
      this.items = items;
      this.bytes = bytes;
      this.batch = batch;
    }

    /** Sets the distributed job that this process belongs to. */
    public Builder group(String name) {
      this.group = name;
      return this;
    }

    /** Sets the number of the report. */
    public Builder sequence(long number) {
      this.sequence = number;
      return this;
    }

    /** Sets the epoch, and whether the job ends after it. */
    public Builder epoch(int number, boolean last) {
      this.epoch = number;
      this.lastEpoch = last;
      return this;
    }

    /** Sets the items yet to be read of each chunk. */
    public Builder remaining(List<Integer> counts) {
      this.remaining = counts;
      return this;
    }

    /** Sets the chunks found whole in the cache. */
    public Builder loaded(List<ChunkGeneration> whole) {
      this.loaded = whole;
      return this;
    }

    /** Sets the time of an item that never waits, and for how long no batch was asked for. */
    public Builder times(double item, double idle) {
      this.itemSeconds = item;
      this.idleSeconds = idle;
      return this;
    }

    /** Says whether this is the job's last report. */
    public Builder leaving(boolean last) {
      this.leaving = last;
      return this;
    }

    /** Sets the plan the job acts upon, and that plan's part for its data set. */
    public Builder following(long version, @Nullable DatasetPlan part) {
      this.planVersion = version;
      this.held = part;
      return this;
    }

    /** Says whether the job only brings the data set in for others. */
    public Builder warming(boolean only) {
      this.warming = only;
      return this;
    }

    /** Sets what the job is beside what it reads. */
    public Builder traits(JobTraits others) {
      this.traits = others;
      return this;
    }

    /** Sets what the job has measured of itself. */
    public Builder speeds(JobSpeeds measured) {
      this.speeds = measured;
      return this;
    }

    /** Sets the share of reads that go to the store, for a job that reads by importance. */
    public Builder unread(List<Double> shares) {
      this.unread = shares;
      return this;
    }

    /** Sets the job's part in groups that share scores. */
    public Builder scores(List<ScoreOffer> offers) {
      this.scores = offers;
      return this;
    }

    /** Returns the report. */
    public JobReport build() {
      return new JobReport(
          job,
          group,
          instance,
          sequence,
          dataset,
          items,
          bytes,
          batch,
          epoch,
          lastEpoch,
          remaining.size(),
          remaining,
          loaded,
          itemSeconds,
          idleSeconds,
          leaving,
          planVersion,
          held,
          warming,
          traits,
          speeds,
          unread,
          scores);
    }
  }
}
