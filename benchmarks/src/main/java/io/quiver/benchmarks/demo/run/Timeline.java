package io.quiver.benchmarks.demo.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a run, evenly spread and bounded in number: when there are too many, every other one is
 * forgotten and from then on they are taken half as often.
 */
public final class Timeline {
  private static final int MOST = 1000;

  private final List<Moment> moments = new ArrayList<>();
  private int keepEvery = 1;
  private int offered;

  /** Takes a look, unless there are enough of its kind. */
  synchronized void add(Moment moment) {
    if (offered++ % keepEvery != 0) {
      return;
    }
    moments.add(moment);
    if (moments.size() >= MOST) {
      thinOut();
    }
  }

  /** Takes the last look, whatever came before. */
  synchronized void addLast(Moment moment) {
    moments.add(moment);
  }

  private void thinOut() {
    List<Moment> kept = new ArrayList<>();
    for (int i = 0; i < moments.size(); i += 2) {
      kept.add(moments.get(i));
    }
    moments.clear();
    moments.addAll(kept);
    keepEvery *= 2;
  }

  synchronized List<Moment> moments() {
    return List.copyOf(moments);
  }

  /**
   * A look at a run.
   *
   * @param seconds when, since the run began
   * @param storeBytes bytes all jobs together had read from the store
   * @param storeReads items they had read from it
   * @param jobItems items each job had been given
   */
  public record Moment(double seconds, long storeBytes, long storeReads, List<Long> jobItems) {
    /** Keeps its own copy. */
    public Moment {
      jobItems = List.copyOf(jobItems);
    }

    /** Items all jobs had been given. */
    public long items() {
      return jobItems.stream().mapToLong(Long::longValue).sum();
    }
  }
}
