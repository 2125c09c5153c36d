package io.quiver.benchmarks.demo.transparent;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.node.NodeException;
import io.quiver.node.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Makes the bucket, runs the readers in every mode and collects the results. */
public final class TransparentDemo {
  private final TransparentOptions options;
  private final TransparentListener listener;

  /** Creates a demo that tells a listener how it comes along. */
  public TransparentDemo(TransparentOptions options, TransparentListener listener) {
    this.options = options;
    this.listener = listener;
  }

  /** Runs every mode, one after the other. */
  public TransparentResult run()
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    Files.createDirectories(options.folder());
    DemoPython python = DemoPython.find(options.folder(), listener::noted);
    BucketFolder data = new BucketFolder(options.folder(), options.scale(), options.seed());
    if (data.isComplete()) {
      listener.reusesData(data.path());
    } else {
      data.write(files -> listener.written(files, data.files()));
    }
    List<TransparentResult.Run> runs = new ArrayList<>();
    try (BucketServer bucket = BucketServer.start(data.path());
        WorkFolder work = WorkFolder.in(options.folder())) {
      TransparentRun run = new TransparentRun(options, data, bucket, python, listener);
      run.warmUp(Files.createDirectories(work.path().resolve("warming")));
      for (TransparentMode mode : options.modes()) {
        runs.add(run.in(mode, Files.createDirectories(work.path().resolve(mode.word()))));
      }
    }
    return new TransparentResult(options, data.bytes(), runs);
  }
}
