package io.quiver.cli.demo;

import io.quiver.cli.console.ByteSize;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.cli.console.Ticker;
import io.quiver.cli.demo.data.DemoData;
import io.quiver.cli.demo.data.ImageFolder;
import io.quiver.cli.demo.data.SyntheticImages;
import io.quiver.cli.demo.report.DemoResult;
import io.quiver.cli.demo.run.DemoMode;
import io.quiver.cli.demo.run.DemoRun;
import io.quiver.cli.demo.run.RunResult;
import io.quiver.remote.ingest.DigestProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays the data out, runs every mode and collects what was found. */
public final class Demo {
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final int CLASSES = 100;

  private final DemoOptions options;
  private final Output output;

  /** A demo that tells an output how it comes along. */
  public Demo(DemoOptions options, Output output) {
    this.options = options;
    this.output = output;
  }

  /** Runs it all. */
  public DemoResult run() throws IOException, CommandFailure, InterruptedException {
    Path digest = options.digest().isPresent() ? options.digest().get() : madeUp();
    try (DemoData data = DemoData.open(digest, options.store());
        WorkFolder work = WorkFolder.in(options.folder())) {
      requireManageable(data);
      List<RunResult> runs = new ArrayList<>();
      for (DemoMode mode : options.modes()) {
        runs.add(run(mode, data, work.path()));
      }
      return new DemoResult(
          options.scenario(),
          data.digest().itemCount(),
          data.digest().totalBytes(),
          runs,
          Randomness.compare(runs, data.digest(), options.scenario().batch()));
    }
  }

  private Path madeUp() throws IOException, InterruptedException {
    int classes = Math.min(CLASSES, options.items());
    SyntheticImages images =
        new SyntheticImages(
            options.items(), options.itemBytes(), classes, options.scenario().seed());
    ImageFolder folder = new ImageFolder(images, options.folder());
    if (folder.isComplete()) {
      output.note("data set: the one of an earlier demo in " + folder.items());
      return folder.digest();
    }
    output.note(
        String.format(
            Locale.ROOT,
            "data set: making %,d items of about %s in %s",
            images.items(),
            ByteSize.show(images.itemBytes()),
            folder.items()));
    write(folder);
    return folder.digest();
  }

  private void write(ImageFolder folder) throws IOException, InterruptedException {
    try (Progress progress = output.progress("writing items", Progress.Unit.ITEMS)) {
      progress.total(options.items());
      folder.writeItems(progress::update);
    }
    DigestProgress counts = new DigestProgress();
    try (Progress progress = output.progress("digesting", Progress.Unit.BYTES);
        Ticker _ = Ticker.every(LOOK_EVERY, () -> show(counts.snapshot(), progress))) {
      folder.writeDigest(counts);
    }
  }

  private static void show(DigestProgress.Snapshot now, Progress progress) {
    progress.total(now.bytesTotal().orElse(-1));
    progress.update(now.bytesDone());
  }

  private static void requireManageable(DemoData data) throws CommandFailure {
    int items = data.digest().itemCount();
    if (items > DemoOptions.MAX_ITEMS) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--digest has "
              + items
              + " items; the demo takes up to "
              + DemoOptions.MAX_ITEMS
              + ": make a digest of a part of the data");
    }
  }

  private RunResult run(DemoMode mode, DemoData data, Path work)
      throws IOException, CommandFailure, InterruptedException {
    long all = (long) data.digest().itemCount() * options.scenario().epochs();
    try (RunDisplay display = new RunDisplay(mode, options.scenario().jobs(), all, output)) {
      RunResult result = new DemoRun(options.scenario(), data, work, display).run(mode);
      display.done(result);
      return result;
    }
  }
}
