package io.quiver.core.engine;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes the reports of a job, or of one process of it, from where its ranks are. */
public final class JobReporter {
  private final ProcessName name;
  private final DatasetSize size;
  private final TrainingRun run;
  private final JobTraits traits;
  private long sequence;

  /**
   * Names a process.
   *
   * @param job its name, unique among the processes that run
   * @param group the distributed job that it is a part of; empty if it is alone
   * @param instance tells it from another of the same name
   */
  public record ProcessName(String job, String group, String instance) {}

  /**
   * Names what is read.
   *
   * @param dataset which data set
   * @param items how many items it has
   * @param bytes how long all items are together
   */
  public record DatasetSize(DatasetKey dataset, int items, long bytes) {}

  /**
   * Says how much is read.
   *
   * @param batch how many items one rank takes at a time
   * @param firstEpoch the epoch it begins with
   * @param epochs how many epochs it runs; 0 for a job that only warms the cache
   * @param ranksHere how many of the job's ranks are in this process
   * @param ranks how many ranks the job has
   */
  public record TrainingRun(int batch, int firstEpoch, int epochs, int ranksHere, int ranks) {
    boolean warms() {
      return epochs == 0;
    }
  }

  /** Tells the progress of one rank. */
  public interface Rank {
    /** Returns the epoch it is in. */
    int epoch();

    /** Returns what it has yet to read of each chunk; null while it counts by another division. */
    int @Nullable [] remaining(int chunks);

    /** Returns how long its loop works on an item; 0 while unknown. */
    double itemSeconds();

    /** Returns for how long its loop has not asked for a batch. */
    double idleSeconds(long now);
  }

  /** Makes a reporter of what does not change while a job runs. */
  public JobReporter(ProcessName name, DatasetSize size, TrainingRun run, JobTraits traits) {
    this.name = name;
    this.size = size;
    this.run = run;
    this.traits = traits;
  }

  /**
   * Makes the next report.
   *
   * @param ranks the ranks of this process that have begun
   * @param leaving whether this is the last report
   * @param unread what each sixteenth of the data spares a job that reads by importance; empty for
   *     any other job
   */
  public JobReport report(
      Collection<? extends Rank> ranks,
      boolean leaving,
      long version,
      @Nullable DatasetPlan held,
      List<ChunkGeneration> loaded,
      JobSpeeds speeds,
      List<Double> unread,
      long now) {
    int epoch = ranks.stream().mapToInt(Rank::epoch).min().orElse(run.firstEpoch);
    List<Integer> remaining = held == null ? List.of() : remaining(ranks, epoch, held.chunks());
    return JobReport.of(
            name.job,
            name.instance,
            size.dataset,
            size.items,
            size.bytes,
            run.batch * run.ranksHere)
        .group(name.group)
        .sequence(++sequence)
        .epoch(epoch, !run.warms() && epoch >= run.epochs - 1)
        .remaining(remaining)
        .loaded(loaded)
        .times(
            ranks.stream().mapToDouble(Rank::itemSeconds).max().orElse(0) / run.ranksHere,
            ranks.stream().mapToDouble(rank -> rank.idleSeconds(now)).min().orElse(0))
        .leaving(leaving)
        .following(version, held)
        .warming(run.warms())
        .traits(traits)
        .speeds(speeds)
        .unread(unread)
        .build();
  }

  /** Returns what all ranks here have yet to read; nothing while some count otherwise. */
  private List<Integer> remaining(Collection<? extends Rank> ranks, int epoch, int chunks) {
    int[] sum = yetToBegin(ranks.size(), chunks);
    for (Rank rank : ranks) {
      int[] counts = rank.epoch() == epoch ? rank.remaining(chunks) : new int[chunks];
      if (counts == null) {
        return List.of();
      }
      for (int i = 0; i < chunks; i++) {
        sum[i] += counts[i];
      }
    }
    return IntStream.of(sum).boxed().toList();
  }

  /** Returns the share of ranks that have not begun their first epoch. */
  private int[] yetToBegin(int begun, int chunks) {
    ChunkLayout layout = new ChunkLayout(size.items, chunks);
    int waiting = run.warms() ? 0 : run.ranksHere - begun;
    return IntStream.range(0, chunks)
        .map(chunk -> (int) ((long) layout.size(chunk) * waiting / run.ranks))
        .toArray();
  }
}
