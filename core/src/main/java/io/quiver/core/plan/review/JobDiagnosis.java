package io.quiver.core.plan.review;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Timing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The benefit of the cache for a job, and the evidence for it.
 *
 * @param job its name
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
  static JobDiagnosis of(
      JobReport report, Optional<JobSpeed> speed, boolean probing, boolean lent) {
    Verdict verdict =
        speed
            .map(known -> known.gains() ? Verdict.GAINS : Verdict.GAINS_NOTHING)
            .orElseGet(() ->
                report.speeds().tooShort() && !probing ? Verdict.TOO_SHORT : Verdict.UNMEASURED);
    return new JobDiagnosis(
        report.job(),
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
        Evidence.of(report, verdict, probing, lent));
  }
}
