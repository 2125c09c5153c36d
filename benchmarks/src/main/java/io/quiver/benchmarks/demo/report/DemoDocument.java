package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.report.DemoFindings.DemoFinding;
import io.quiver.benchmarks.demo.run.DemoJobResult;
import io.quiver.benchmarks.demo.run.RunResult;
import java.util.List;

/**
 * The result as scripts read it. A stable document; new fields may be added.
 *
 * @param cacheFraction cache / data
 * @param windowFraction rotating window / data
 * @param jobs how many jobs
 * @param epochs epochs of each
 * @param report where the page with plots is
 * @param items items of the data set
 * @param bytes their bytes
 * @param storeLoad how busy the store's link is when no job waits
 * @param exactlyOnce whether all runs were
 * @param runs each run
 * @param findings what was expected and what came out
 */
public record DemoDocument(
    double cacheFraction,
    double windowFraction,
    int jobs,
    int epochs,
    String report,
    int items,
    long bytes,
    double storeLoad,
    boolean exactlyOnce,
    List<Run> runs,
    List<DemoFinding> findings) {

  /**
   * One run.
   *
   * @param mode what stood between jobs and store
   * @param seconds how long all jobs took
   * @param readsPerItemEpoch reads from the store by all jobs, for each item and epoch
   * @param fillReadsPerItemEpoch the part of them that filled what stays across epochs
   * @param leadEpochs how many epochs the job in front went through, while any ran
   * @param duplicateFetches which part of them brought in what was there already
   * @param hitRatio which part of the items came from the cache
   * @param stall which part of their time jobs waited
   * @param exactlyOnce whether every job's ledger proves it
   * @param storeReads reads from the store
   * @param storeBytes their bytes
   * @param jobs each job
   */
  public record Run(
      String mode,
      double seconds,
      double readsPerItemEpoch,
      double fillReadsPerItemEpoch,
      double leadEpochs,
      double duplicateFetches,
      double hitRatio,
      double stall,
      boolean exactlyOnce,
      long storeReads,
      long storeBytes,
      List<Job> jobs) {}

  /**
   * One job of a run.
   *
   * @param name what it is called
   * @param speed how many times longer it works on a batch
   * @param seconds how long it took
   * @param hitRatio which part of its items came from the cache
   * @param waitSeconds how long it waited for batches
   * @param ledger what its ledger says
   */
  public record Job(
      String name,
      double speed,
      double seconds,
      double hitRatio,
      double waitSeconds,
      String ledger) {}

  /** Returns the document of a result. */
  public static DemoDocument of(DemoResult result, String report) {
    return new DemoDocument(
        result.scenario().cacheFraction(),
        rounded(result.windowFraction()),
        result.scenario().jobs(),
        result.scenario().epochs(),
        report,
        result.items(),
        result.bytes(),
        rounded(Math.min(result.storeLoad(), 1e9)),
        result.exactlyOnce(),
        result.runs().stream().map(DemoDocument::run).toList(),
        DemoFindings.of(result));
  }

  private static Run run(RunResult run) {
    return new Run(
        run.mode().word(),
        rounded(run.seconds()),
        rounded(run.readsPerItemEpoch()),
        rounded(run.fillReadsPerItemEpoch()),
        rounded(run.leadEpochs()),
        rounded(run.duplicateFetches()),
        rounded(run.hitRatio()),
        rounded(run.stall()),
        run.exactlyOnce(),
        run.store().items(),
        run.store().bytes(),
        run.jobs().stream().map(DemoDocument::job).toList());
  }

  private static Job job(DemoJobResult job) {
    return new Job(
        job.name(),
        job.speed(),
        rounded(job.seconds()),
        rounded(job.statistics().delivered().hitRatio()),
        rounded(job.times().waited()),
        job.verdict());
  }

  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
