package io.quiver.core.plan.review;

import io.quiver.core.plan.probe.MeasuredJob;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says in words from what it is known what the cache does for a job. */
final class Evidence {
  private static final double MILLIS = 1e3;

  private Evidence() {}

  static String of(JobReport report, Verdict verdict, boolean probing, boolean lent) {
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
