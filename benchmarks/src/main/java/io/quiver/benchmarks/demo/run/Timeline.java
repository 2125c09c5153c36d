package io.quiver.benchmarks.demo.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a run, evenly spread and bounded in number: when there are too many, every other one is
 * forgotten and from then on they are taken half as often.
 */
final class Timeline {
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
}
