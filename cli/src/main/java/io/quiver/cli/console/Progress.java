package io.quiver.cli.console;

import io.quiver.report.ByteSize;
import io.quiver.report.TimeSpan;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Tells a waiting person how far a long task is: a bar redrawn in place on a terminal, a plain line
 * every few seconds elsewhere, nothing for scripts. Short tasks draw nothing at all.
 *
 * <p>Safe for use by many threads. Closing removes the bar, so that what follows starts on a clean
 * line.
 */
public final class Progress implements AutoCloseable {
  private static final long FIRST_BAR_NANOS = 300_000_000L;
  private static final long BAR_NANOS = 100_000_000L;
  private static final long PLAIN_NANOS = 5_000_000_000L;

  private final Style style;
  private final PrintStream err;
  private final Unit unit;
  private final LongSupplier nanoTime;
  private final ProgressBar bar;
  private final Pace pace;
  private long nextNanos;
  private boolean drawn;
  private long total = -1;

  /** The kind of reader. */
  public enum Style {
    /** Nobody, or a script. */
    NONE,
    /** A log file. */
    PLAIN,
    /** A person at a terminal. */
    BAR
  }

  /** The unit of the counts. */
  public enum Unit {
    /** Bytes, shown with decimal units. */
    BYTES,
    /** Things. */
    ITEMS,
    /** Items of a training job, shown with their rate first. */
    SAMPLES,
    /** Parts of a whole that mean nothing by themselves; only the share is shown. */
    SHARE
  }

  /** A progress display; nothing is drawn until {@link #update} has been called for a while. */
  public Progress(Console console, Style style, String task, Unit unit, LongSupplier nanoTime) {
    this.style = style;
    this.err = console.err();
    this.unit = unit;
    this.nanoTime = nanoTime;
    this.bar = new ProgressBar(task, console);
    long now = nanoTime.getAsLong();
    this.pace = new Pace(now, 0);
    this.nextNanos = now + (style == Style.BAR ? FIRST_BAR_NANOS : PLAIN_NANOS);
  }

  /** Says how much there is; a negative number when unknown. */
  public synchronized void total(long units) {
    total = units;
  }

  /** Says how much is done. Cheap: redraws only when it is time to. */
  public synchronized void update(long done) {
    update(done, "");
  }

  /** Shows the progress with a few words on the current step. */
  public synchronized void update(long done, String detail) {
    update(done, 0, detail);
  }

  /**
   * Shows the progress of work that an earlier run began.
   *
   * @param before the part of {@code done} that was done earlier and says nothing about the speed
   */
  public synchronized void update(long done, long before, String detail) {
    long now = nanoTime.getAsLong();
    if (style == Style.NONE || total == 0 || now < nextNanos) {
      return;
    }
    nextNanos = now + (style == Style.BAR ? BAR_NANOS : PLAIN_NANOS);
    pace.observe(now, done - before);
    draw(done, detail);
  }

  private void draw(long done, String detail) {
    String figures = unit == Unit.SHARE ? detail : figures(done) + detail(detail);
    if (style == Style.BAR) {
      err.print("\r" + bar.line(total <= 0 ? -1 : (double) done / total, figures) + "\u001b[K");
      err.flush();
      drawn = true;
    } else {
      err.println(bar.task() + ": " + percent(done) + figures);
    }
  }

  private static String detail(String detail) {
    return detail.isEmpty() ? "" : "  " + detail;
  }

  private String percent(long done) {
    return total > 0 ? Math.min(100, 100 * done / total) + " %, " : "";
  }

  private String figures(long done) {
    StringBuilder text = new StringBuilder();
    if (unit == Unit.SAMPLES) {
      text.append(amount((long) pace.rate())).append(" samples/s");
    } else {
      text.append(amounts(done));
    }
    double left = pace.secondsFor(total - done);
    if (total > 0 && left >= 0) {
      text.append("  ").append(TimeSpan.show(left)).append(" left");
    }
    return text.toString();
  }

  private String amounts(long done) {
    return amount(done)
        + (total >= 0 ? " of " + amount(total) : "")
        + (pace.rate() > 0 ? "  " + amount((long) pace.rate()) + "/s" : "");
  }

  private String amount(long units) {
    return unit == Unit.BYTES ? ByteSize.show(units) : String.format(Locale.ROOT, "%,d", units);
  }

  @Override
  public synchronized void close() {
    if (drawn) {
      err.print("\r\u001b[K");
      err.flush();
      drawn = false;
    }
  }
}
