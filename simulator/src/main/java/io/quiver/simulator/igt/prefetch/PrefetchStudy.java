package io.quiver.simulator.igt.prefetch;

import io.quiver.core.keep.KeeperKind;
import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.keep.KeeperCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs jobs of the paper with each way of reading ahead. Nothing else differs: all have the same
 * large cache, which is empty at first.
 */
public final class PrefetchStudy {
  /** The paper's cache; no job fills it. */
  private static final long CACHE_BYTES = 150_000_000_000L;

  private PrefetchStudy() {}

  /** Ways of reading ahead, by the names that tables have. */
  public enum Way {
    NONE,
    /** Four blocks after four in a row. */
    STRIDE,
    /** A window that doubles to 8 blocks: the default of JuiceFS. */
    JUICEFS,
    /** A Markov chain of files. */
    SFP,
    /** Reads ahead by the patterns that doors recognise. */
    QUIVER,
    /** The next four files: reading ahead at the granularity of files. */
    NEXT_FILES,
    /** All files of the next four directories. */
    NEXT_DIRECTORIES;

    /** The ways that the paper compares on all jobs (Figure 9). */
    public static final List<Way> COMPARED = List.of(NONE, STRIDE, JUICEFS, SFP, QUIVER);

    /** Returns the name in tables and documents. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Prefetcher prefetcher(ReadJob job) {
      return switch (this) {
        case NONE -> Prefetcher.NONE;
        case STRIDE -> BlockPrefetchers.stride();
        case JUICEFS -> BlockPrefetchers.doubling(StreamPrefetcher.HANDLE_BLOCKS);
        case SFP -> new MarkovFiles(job.files());
        case QUIVER -> new StreamPrefetcher(job.files(), job.lists(), CACHE_BYTES);
        case NEXT_FILES -> FilePrefetchers.nextFiles(job.files());
        case NEXT_DIRECTORIES -> FilePrefetchers.nextDirectories(job.files());
      };
    }
  }

  /**
   * The result of a job with a way of reading ahead.
   *
   * @param job the job's number in the paper's Table 3
   * @param prefetch the way's name
   * @param seconds how long the job took
   * @param hitRatio share of its reads that the cache answered at once
   * @param lateShare share of its reads that waited for a block on its way
   * @param fetchedAhead blocks that were read ahead
   * @param wasted blocks of these that the job never read
   */
  public record Row(
      String job,
      String prefetch,
      double seconds,
      double hitRatio,
      double lateShare,
      long fetchedAhead,
      long wasted) {}

  /** Runs the paper's selection of jobs with the ways that the paper compares. */
  public static List<Row> run(double scale, long seed, Runs.Listener progress) {
    PaperJobs jobs = new PaperJobs(scale, seed);
    List<Run> runs = new ArrayList<>();
    for (ReadJob job : jobs.all()) {
      Way.COMPARED.forEach(way -> runs.add(new Run(job, way)));
    }
    runs.add(new Run(jobs.marine(), Way.NEXT_DIRECTORIES));
    return all(runs, progress);
  }

  /** Runs a scan of one file and a scan of many with blocks or files read ahead (Figure 2a). */
  public static List<Row> granularities(double scale, long seed, Runs.Listener progress) {
    PaperJobs jobs = new PaperJobs(scale, seed);
    List<Run> runs = new ArrayList<>();
    for (ReadJob job : List.of(jobs.oneBook(), jobs.imageNet())) {
      for (Way way : List.of(Way.NONE, Way.JUICEFS, Way.NEXT_FILES, Way.QUIVER)) {
        runs.add(new Run(job, way));
      }
    }
    return all(runs, progress);
  }

  private record Run(ReadJob job, Way way) {
    Row row() {
      KeeperCache cache = new KeeperCache(KeeperKind.RECENT, CACHE_BYTES);
      JobRun.Result result = new JobRun(job, cache, way.prefetcher(job)).run();
      return new Row(
          job.name(),
          way.text(),
          result.seconds(),
          result.hitRatio(),
          result.lateShare(),
          result.fetchedAhead(),
          result.wasted());
    }
  }

  private static List<Row> all(List<Run> runs, Runs.Listener progress) {
    AtomicInteger done = new AtomicInteger();
    return runs.parallelStream()
        .map(run -> {
          Row row = run.row();
          synchronized (done) {
            progress.step(done.incrementAndGet(), runs.size());
          }
          return row;
        })
        .toList();
  }
}
