package io.quiver.cli.command;

import io.quiver.benchmarks.demo.run.DemoListener;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.benchmarks.demo.run.Timeline.Moment;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.report.ByteSize;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows a running demo: a bar for each step, with the progress of every job and the rate of reads
 * from the store, and one line for each run that has ended.
 */
final class DemoDisplay implements DemoListener, AutoCloseable {
  private static final double RATE_SPAN_SECONDS = 1;

  private final Output output;
  private @Nullable Progress bar;
  private String shown = "";
  private long samplesPerJob;
  private @Nullable Moment before;
  private double bytesPerSecond;

  DemoDisplay(Output output) {
    this.output = output;
  }

  @Override
  public synchronized void reusesData(Path folder) {
    output.note("data set: the one of an earlier demo in " + folder);
  }

  @Override
  public synchronized void makesData(Path folder, int items, int itemBytes) {
    output.note(
        String.format(
            Locale.ROOT,
            "data set: making %,d items of about %s in %s",
            items,
            ByteSize.show(itemBytes),
            folder));
  }

  @Override
  public synchronized void written(int items, int all) {
    bar("writing items", Progress.Unit.ITEMS, all).update(items);
  }

  @Override
  public synchronized void digested(long bytes, long all) {
    bar("digesting", Progress.Unit.BYTES, all).update(bytes);
  }

  @Override
  public synchronized void began(DemoMode mode, int jobs, long samples) {
    samplesPerJob = samples;
    before = null;
    bytesPerSecond = 0;
    bar(String.format(Locale.ROOT, "%-10s", mode.title()), Progress.Unit.SHARE, jobs * samples);
  }

  @Override
  public synchronized void filled(int items, int all) {
    if (bar != null) {
      bar.update(0, String.format(Locale.ROOT, "filling the cache: %d %%", 100L * items / all));
    }
  }

  @Override
  public synchronized void running(Moment now) {
    Moment last = before;
    if (last == null) {
      before = now;
    } else if (now.seconds() - last.seconds() >= RATE_SPAN_SECONDS) {
      bytesPerSecond = (now.storeBytes() - last.storeBytes()) / (now.seconds() - last.seconds());
      before = now;
    }
    if (bar != null) {
      bar.update(now.items(), line(now));
    }
  }

  private String line(Moment now) {
    String jobs =
        now.jobItems().stream()
            .map(items -> 100 * items / Math.max(1, samplesPerJob) + " %")
            .collect(Collectors.joining(" · "));
    return String.format(
        Locale.ROOT,
        "%3.0f s  jobs %s  store %s/s",
        now.seconds(),
        jobs,
        ByteSize.show((long) bytesPerSecond));
  }

  @Override
  public synchronized void ended(RunResult result) {
    close();
    output.note(
        String.format(
            Locale.ROOT,
            "%-10s  %5.1f s, %s from the store",
            result.mode().title(),
            result.seconds(),
            ByteSize.show(result.store().bytes())));
  }

  private Progress bar(String title, Progress.Unit unit, long total) {
    Progress current = bar;
    if (current == null || !shown.equals(title)) {
      close();
      current = output.progress(title, unit);
      bar = current;
      shown = title;
    }
    current.total(total);
    return current;
  }

  /** Removes the bar. */
  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
