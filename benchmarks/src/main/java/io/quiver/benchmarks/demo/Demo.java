package io.quiver.benchmarks.demo;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.demo.data.DemoData;
import io.quiver.benchmarks.demo.data.ImageFolder;
import io.quiver.benchmarks.demo.data.SyntheticImages;
import io.quiver.benchmarks.demo.report.DemoResult;
import io.quiver.benchmarks.demo.run.DemoListener;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoRun;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.node.NodeException;
import io.quiver.node.Ticker;
import io.quiver.node.WorkFolder;
import io.quiver.remote.ingest.DigestProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Writes the data set, runs every mode and collects the results. */
public final class Demo {
  private static final Duration REPORT_INTERVAL = Duration.ofMillis(100);
  private static final int CLASSES = 100;

  private final DemoOptions options;
  private final DemoListener listener;

  /** Creates a demo that tells a listener how it comes along. */
  public Demo(DemoOptions options, DemoListener listener) {
    this.options = options;
    this.listener = listener;
  }

  /** Runs every mode, one after the other. */
  public DemoResult run()
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    Path digest = options.data().digest().isPresent() ? options.data().digest().get() : synthetic();
    try (DemoData data = DemoData.open(digest, options.data().store());
        WorkFolder work = WorkFolder.in(options.folder())) {
      requireManageable(data);
      List<RunResult> runs = new ArrayList<>();
      for (DemoMode mode : options.modes()) {
        runs.add(new DemoRun(options.scenario(), data, work.path(), listener).run(mode));
      }
      return new DemoResult(
          options.scenario(),
          data.digest().itemCount(),
          data.digest().totalBytes(),
          runs,
          Randomness.compare(runs, data.digest(), options.scenario().batch()));
    }
  }

  private Path synthetic() throws IOException, InterruptedException {
    int classes = Math.min(CLASSES, options.data().items());
    SyntheticImages images =
        new SyntheticImages(
            options.data().items(), options.data().itemBytes(), classes, options.scenario().seed());
    ImageFolder folder = new ImageFolder(images, options.folder());
    if (folder.isComplete()) {
      listener.reusesData(folder.items());
      return folder.digest();
    }
    listener.makesData(folder.items(), images.items(), images.itemBytes());
    folder.writeItems(items -> listener.written(items, options.data().items()));
    DigestProgress counts = new DigestProgress();
    try (Ticker _ = Ticker.every(REPORT_INTERVAL, () -> tell(counts.snapshot()))) {
      folder.writeDigest(counts);
    }
    return folder.digest();
  }

  private void tell(DigestProgress.Snapshot now) {
    listener.digested(now.bytesDone(), now.bytesTotal().orElse(-1));
  }

  private static void requireManageable(DemoData data) {
    int items = data.digest().itemCount();
    if (items > DemoOptions.MAX_ITEMS) {
      throw new IllegalArgumentException(
          "--digest has "
              + items
              + " items; the demo takes up to "
              + DemoOptions.MAX_ITEMS
              + ": make a digest of a part of the data");
    }
  }
}
