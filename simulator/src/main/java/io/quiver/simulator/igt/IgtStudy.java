package io.quiver.simulator.igt;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.simulator.experiment.Runs;
import java.util.ArrayList;
import java.util.List;

/** Runs the paper's programs together with each cache (IGTCache, Figures 8 and 16). */
public final class IgtStudy {
  private final double scale;
  private final long seed;

  /**
   * Makes a study.
   *
   * @param scale numbers of items and the cache are so many times the paper's
   */
  public IgtStudy(double scale, long seed) {
    this.scale = scale;
    this.seed = seed;
  }

  /**
   * The result with one cache.
   *
   * @param system the cache
   * @param cacheShare its bytes as a share of the paper's 150 GB at this scale
   * @param result the programs' results
   */
  public record Row(CacheKind system, double cacheShare, ClusterRun.Result result) {}

  private record Part(CacheKind system, double cacheShare) {}

  /** Runs all programs with each of these caches, as large as the paper's. */
  public List<Row> endToEnd(List<CacheKind> systems, Runs.Listener progress) {
    return rows(systems.stream().map(each -> new Part(each, 1)).toList(), progress);
  }

  /** Runs all programs with caches of these shares of all data. */
  public List<Row> sizes(List<CacheKind> systems, List<Double> shares, Runs.Listener progress) {
    double all = bytes(Workloads.at(scale)) / (scale * Workloads.CACHE_BYTES);
    List<Part> parts = new ArrayList<>();
    for (double share : shares) {
      systems.forEach(each -> parts.add(new Part(each, share * all)));
    }
    return rows(parts, progress);
  }

  /** Runs all programs with the live classes, and trees of at most so many nodes. */
  public ClusterRun.Result withNodes(int nodes) {
    long bytes = Math.round(scale * Workloads.CACHE_BYTES);
    return new ClusterRun(
            Workloads.at(scale),
            ClusterRun.GAP_SECONDS * scale,
            seed,
            (engine, store) ->
                new LivePath(
                    engine, store, bytes, PlannerConfig.DEFAULT, OverheadStudy.rules(nodes)))
        .run();
  }

  /** Returns the bytes of all data sets that programs read. */
  static double bytes(List<ProgramSpec> jobs) {
    return jobs.stream()
        .flatMap(job -> job.phases().stream())
        .map(ProgramSpec.Phase::files)
        .distinct()
        .mapToDouble(FileSet::bytes)
        .sum();
  }

  private List<Row> rows(List<Part> parts, Runs.Listener progress) {
    int[] done = {0};
    return parts.parallelStream()
        .map(part -> {
          Row row = new Row(part.system, part.cacheShare, run(part));
          synchronized (done) {
            progress.step(++done[0], parts.size());
          }
          return row;
        })
        .toList();
  }

  private ClusterRun.Result run(Part part) {
    long bytes = Math.round(part.cacheShare * scale * Workloads.CACHE_BYTES);
    double gap = ClusterRun.GAP_SECONDS * scale;
    return new ClusterRun(
            Workloads.at(scale),
            gap,
            seed,
            (engine, store) -> part.system.path(engine, store, bytes, scale, seed))
        .run();
  }
}
