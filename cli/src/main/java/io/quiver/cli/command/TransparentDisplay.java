package io.quiver.cli.command;

import io.quiver.benchmarks.demo.transparent.TransparentListener;
import io.quiver.benchmarks.demo.transparent.TransparentMode;
import io.quiver.benchmarks.demo.transparent.TransparentResult;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.report.ByteSize;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows the demo of unmodified programs: a bar for each step, a line for each run that ended. */
final class TransparentDisplay implements TransparentListener, AutoCloseable {
  private final Output output;
  private @Nullable Progress bar;
  private int readers;

  TransparentDisplay(Output output) {
    this.output = output;
  }

  @Override
  public synchronized void reusesData(Path folder) {
    output.note("data: those of an earlier demo in " + folder);
  }

  @Override
  public synchronized void written(int files, int all) {
    Progress current = bar;
    if (current == null) {
      current = output.progress("writing files", Progress.Unit.ITEMS);
      current.total(all);
      bar = current;
    }
    current.update(files);
    if (files == all) {
      close();
    }
  }

  @Override
  public synchronized void noted(String text) {
    output.note(text);
  }

  @Override
  public synchronized void began(TransparentMode mode, int programs) {
    close();
    readers = programs;
    Progress begun =
        output.progress(String.format(Locale.ROOT, "%-10s", mode.title()), Progress.Unit.SHARE);
    begun.total(programs);
    bar = begun;
  }

  @Override
  public synchronized void running(double seconds, int readersDone, long storeBytes) {
    if (bar != null) {
      bar.update(
          readersDone,
          String.format(
              Locale.ROOT,
              "%3.0f s  %d of %d programs done  %s from the store",
              seconds,
              readersDone,
              readers,
              ByteSize.show(storeBytes)));
    }
  }

  @Override
  public synchronized void ended(TransparentResult.Run run) {
    close();
    output.note(
        String.format(
            Locale.ROOT,
            "%-10s  %5.1f s, %s from the store",
            run.mode().title(),
            run.seconds(),
            ByteSize.show(run.storeBytes())));
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
