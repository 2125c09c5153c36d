package io.quiver.cli.command;

import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.Ticker;
import io.quiver.remote.ingest.DigestProgress;
import java.time.Duration;
import java.util.Locale;

/** Shows how far a digest's building or checking is, until closed. */
final class DigestProgressDisplay implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private final Progress progress;
  private final Ticker ticker;

  private DigestProgressDisplay(Progress progress, Ticker ticker) {
    this.progress = progress;
    this.ticker = ticker;
  }

  static DigestProgressDisplay of(String task, DigestProgress counts, Output output) {
    Progress progress = output.progress(task, Progress.Unit.BYTES);
    return new DigestProgressDisplay(
        progress, Ticker.every(INTERVAL, () -> show(counts.snapshot(), progress)));
  }

  private static void show(DigestProgress.Snapshot now, Progress progress) {
    progress.total(now.bytesTotal().orElse(-1));
    String detail =
        now.phase() == DigestProgress.Phase.WRITING
            ? "writing"
            : String.format(Locale.ROOT, "%,d items", now.itemsDone());
    progress.update(now.bytesDone(), now.bytesReused(), detail);
  }

  @Override
  public void close() {
    ticker.close();
    progress.close();
  }
}
