package io.quiver.cli.command;

import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.node.job.Warming.WarmProgress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A bar for each part of warming. */
public final class WarmDisplay implements Consumer<WarmProgress>, AutoCloseable {
  private final Output output;
  private @Nullable Progress progress;
  private WarmProgress.@Nullable Phase shown;

  /** A display on an output. */
  public WarmDisplay(Output output) {
    this.output = output;
  }

  @Override
  public void accept(WarmProgress now) {
    Progress bar = progress;
    if (bar == null || shown != now.phase()) {
      close();
      bar = output.progress(title(now.phase()), Progress.Unit.BYTES);
      progress = bar;
      shown = now.phase();
    }
    bar.total(now.all());
    bar.update(now.bytes());
  }

  private static String title(WarmProgress.Phase phase) {
    return switch (phase) {
      case LOADING -> "warming";
      case LOOKING -> "looking up";
      case READING -> "reading back";
    };
  }

  /** Removes the bar. */
  @Override
  public void close() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
  }
}
