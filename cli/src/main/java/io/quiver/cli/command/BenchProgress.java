package io.quiver.cli.command;

import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.Ticker;
import java.time.Duration;

/** Shows what a benchmark is doing. */
final class BenchProgress implements BenchmarkListener, AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final long PARTS = 1000;

  private final Progress progress;
  private final Ticker ticker;
  private volatile double done;
  private volatile String step = "";

  private BenchProgress(Progress progress) {
    this.progress = progress;
    this.ticker = Ticker.every(INTERVAL, () -> progress.update((long) (done * PARTS), step));
  }

  static BenchProgress on(Output output) {
    Progress progress = output.progress("measuring", Progress.Unit.SHARE);
    progress.total(PARTS);
    return new BenchProgress(progress);
  }

  @Override
  public void step(double share, String what) {
    done = share;
    step = what;
  }

  @Override
  public void close() {
    ticker.close();
    progress.close();
  }
}
