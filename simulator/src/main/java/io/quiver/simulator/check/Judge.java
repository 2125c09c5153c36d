package io.quiver.simulator.check;

import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;

/** Watches a simulation for one promise. The first violations are kept, all are counted. */
public abstract class Judge implements Trace {
  private static final int MOST_KEPT = 20;

  /** A promise that was broken, and how. */
  public record Violation(long atNanos, String promise, String what) {}

  private final String promise;
  private final List<Violation> violations = new ArrayList<>();
  private long count;

  /** Makes a judge of this promise. */
  protected Judge(String promise) {
    this.promise = promise;
  }

  /** Notes that the promise was broken. */
  protected final void broken(long now, String what) {
    count++;
    if (violations.size() < MOST_KEPT) {
      violations.add(new Violation(now, promise, what));
    }
  }

  /** Returns the first violations. */
  public final List<Violation> violations() {
    return List.copyOf(violations);
  }

  /** Returns the number of all violations. */
  public final long count() {
    return count;
  }

  /**
   * Returns one judge of each promise, who has seen nothing.
   *
   * @param window how many chunks of a data set may rotate
   */
  public static List<Judge> all(int window) {
    return List.of(
        new ExactlyOnce(),
        new AsListed(),
        new WithinCapacity(),
        new RotatingWindow(window),
        new NoReadLost());
  }
}
