package io.quiver.core.plan.review;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.probe.MeasuredJob;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The benefit of the cache for a job, and the evidence for it.
 *
 * @param job its name, or that of its group
 * @param members the names of its processes
 * @param user whose it is
 * @param gpus how many GPUs wait when it waits
 * @param dataset what it reads
 * @param benefit how many times as fast it is with everything cached (Quiver's b); null while
 *     unknown
 * @param gpusSaved GPUs it is worth more with everything cached, n·(b − 1); null while unknown
 * @param stall which part of the latest batches' time it waited for data
 * @param hit time of an item with everything cached
 * @param shared while jobs bring the data set in together
 * @param miss from the store
 * @param workSeconds how long its loop works on an item
 * @param probing whether it is being probed
 * @param verdict what follows
 * @param evidence from what, in words
 */
public record JobDiagnosis(
    String job,
    List<String> members,
    String user,
    int gpus,
    DatasetKey dataset,
    @Nullable Double benefit,
    @Nullable Double gpusSaved,
    double stall,
    Timing hit,
    Timing shared,
    Timing miss,
    double workSeconds,
    boolean probing,
    Verdict verdict,
    String evidence) {
  /** The verdicts on the benefit of the cache for a job. */
  public enum Verdict {
    /** It is faster with the cache. */
    GAINS,
    /** It is not: it gets only bytes that nobody else can use. */
    GAINS_NOTHING,
    /** Nobody knows yet. */
    UNMEASURED,
    /** Nobody will know: the run is too short to try it out. */
    TOO_SHORT
  }

  private static final double MILLIS = 1e3;

  static JobDiagnosis of(
      JobReport report,
      List<String> members,
      Optional<JobSpeed> speed,
      boolean probing,
      boolean lent) {
    Verdict verdict =
        speed
            .map(known -> known.gains() ? Verdict.GAINS : Verdict.GAINS_NOTHING)
            .orElseGet(() ->
                report.speeds().tooShort() && !probing ? Verdict.TOO_SHORT : Verdict.UNMEASURED);
    return new JobDiagnosis(
        report.job(),
        members,
        report.traits().user(),
        report.traits().gpus(),
        report.dataset(),
        speed.map(JobSpeed::benefit).orElse(null),
        speed.map(known -> known.gpus() * (known.benefit() - 1)).orElse(null),
        report.speeds().stall(),
        report.speeds().hit(),
        report.speeds().shared(),
        report.speeds().miss(),
        report.itemSeconds(),
        probing,
        verdict,
        evidence(report, verdict, probing, lent));
  }

  /** Returns the basis of the verdict in words. */
  private static String evidence(JobReport report, Verdict verdict, boolean probing, boolean lent) {
    JobSpeeds speeds = report.speeds();
    List<String> parts = new ArrayList<>();
    if (probing) {
      parts.add("is being probed");
    }
    if (verdict == Verdict.TOO_SHORT) {
      parts.add(tooShort(speeds));
    }
    parts.add(lent ? "store measured by a job like it" : miss(speeds));
    parts.add(
        MeasuredJob.tells(speeds.hit(), report)
            ? measured("hits", speeds.hit())
            : String.format(
                Locale.ROOT,
                "hits taken to be as fast as it works, %s",
                time(report.itemSeconds())));
    if (speeds.shared().known()) {
      parts.add(measured("shared", speeds.shared()));
    }
    return String.join("; ", parts);
  }

  private static String miss(JobSpeeds speeds) {
    if (!speeds.miss().known()) {
      return "store not measured";
    }
    String probed = speeds.probed() > 0 ? ", " + speeds.probed() + " batches probed in all" : "";
    return measured("store", speeds.miss()) + probed;
  }

  private static String measured(String what, Timing timing) {
    return String.format(
        Locale.ROOT,
        "%s %s by %d batches %.0f s ago",
        what,
        time(timing.seconds()),
        timing.batches(),
        timing.ageSeconds());
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%.3g ms an item", seconds * MILLIS);
  }

  private static String tooShort(JobSpeeds speeds) {
    return String.format(
        Locale.ROOT,
        "too short to probe: 1 %% of %d batches, %d are needed",
        speeds.batches() + speeds.toCome(),
        speeds.leastProbe());
  }
}
