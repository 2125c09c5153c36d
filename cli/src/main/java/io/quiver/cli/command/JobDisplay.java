package io.quiver.cli.command;

import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.job.EpochResult;
import io.quiver.node.job.TrainingJob.EpochProgress;
import io.quiver.node.job.TrainingJob.JobWatcher;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows a running job: a bar for each epoch, and one line of it when it is over. */
public final class JobDisplay implements JobWatcher, AutoCloseable {
  private final Output output;
  private final int epochs;
  private @Nullable Progress progress;
  private int shown = -1;

  /** A display of a job with so many epochs. */
  public JobDisplay(Output output, int epochs) {
    this.output = output;
    this.epochs = epochs;
  }

  @Override
  public synchronized void running(EpochProgress now) {
    Progress bar = progress;
    if (bar == null || shown != now.epoch()) {
      close();
      bar = output.progress(title(now.epoch()), Progress.Unit.SAMPLES);
      progress = bar;
      shown = now.epoch();
    }
    bar.total(now.all());
    bar.update(now.samples(), ratios(now.hitRatio(), now.stall()));
  }

  private String title(int epoch) {
    return "epoch " + (epoch + 1) + "/" + epochs;
  }

  private static String ratios(double hits, double stall) {
    return String.format(Locale.ROOT, "hits %.0f %%  stall %.0f %%", 100 * hits, 100 * stall);
  }

  @Override
  public synchronized void ended(EpochResult result) {
    close();
    output.note(
        String.format(
            Locale.ROOT,
            "%s  %.1f s  %,.0f samples/s  hits %.1f %%  stall %.1f %%  %s",
            title(result.epoch()),
            result.seconds(),
            result.samplesPerSecond(),
            100 * result.delivered().hitRatio(),
            100 * result.times().stall(),
            result.proof().exactlyOnce() ? "exactly once" : "NOT exactly once"));
  }

  /** Removes the bar. */
  @Override
  public synchronized void close() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
  }
}
