package io.quiver.cli.demo;

import io.quiver.cli.console.ByteSize;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.cli.demo.run.DemoMode;
import io.quiver.cli.demo.run.Moment;
import io.quiver.cli.demo.run.RunResult;
import io.quiver.cli.demo.run.RunWatcher;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One line that tells how a run comes along: all jobs, each job, and the link to the store. */
final class RunDisplay implements RunWatcher, AutoCloseable {
  private static final double RATE_SPAN_SECONDS = 1;

  private final DemoMode mode;
  private final long itemsPerJob;
  private final Output output;
  private final Progress progress;
  private @Nullable Moment before;
  private double rate;

  /** A display for so many jobs of so many samples each. */
  RunDisplay(DemoMode mode, int jobs, long itemsPerJob, Output output) {
    this.mode = mode;
    this.itemsPerJob = itemsPerJob;
    this.output = output;
    this.progress =
        output.progress(String.format(Locale.ROOT, "%-10s", mode.title()), Progress.Unit.SHARE);
    progress.total(jobs * itemsPerJob);
  }

  @Override
  public void filled(int items, int all) {
    progress.update(0, String.format(Locale.ROOT, "filling the cache: %d %%", 100L * items / all));
  }

  @Override
  public void running(DemoMode running, Moment now) {
    Moment last = before;
    if (last == null || now.seconds() - last.seconds() >= RATE_SPAN_SECONDS) {
      rate =
          last == null
              ? 0
              : (now.storeBytes() - last.storeBytes()) / (now.seconds() - last.seconds());
      before = now;
    }
    progress.update(now.items(), line(now));
  }

  private String line(Moment now) {
    String jobs =
        now.jobItems().stream()
            .map(items -> 100 * items / Math.max(1, itemsPerJob) + " %")
            .collect(Collectors.joining(" · "));
    return String.format(
        Locale.ROOT,
        "%3.0f s  jobs %s  store %s/s",
        now.seconds(),
        jobs,
        ByteSize.show((long) rate));
  }

  /** Says how it ended. */
  void done(RunResult result) {
    progress.close();
    output.note(
        String.format(
            Locale.ROOT,
            "%-10s  %5.1f s, %s from the store",
            mode.title(),
            result.seconds(),
            ByteSize.show(result.storeBytes())));
  }

  @Override
  public void close() {
    progress.close();
  }
}
