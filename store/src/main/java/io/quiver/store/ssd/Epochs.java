package io.quiver.store.ssd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts off the release of memory and files until nobody can be looking at them any more.
 *
 * <p>A reader enters before it looks anything up and leaves when it no longer touches what it
 * found. What is retired is released once every reader that had entered before has left; at once
 * when there is none. Readers never wait; whoever leaves last does the releasing.
 */
final class Epochs {
  private final ArrayDeque<Epoch> epochs = new ArrayDeque<>();
  private long retired;

  Epochs() {
    epochs.add(new Epoch());
  }

  /** Begins a look. The caller leaves the returned epoch exactly once. */
  synchronized Epoch enter() {
    Epoch current = epochs.getLast();
    current.readers++;
    return current;
  }

  /** Ends a look. */
  void leave(Epoch epoch) {
    List<Runnable> due = new ArrayList<>(0);
    synchronized (this) {
      epoch.readers--;
      collect(due);
    }
    due.forEach(Runnable::run);
  }

  /** Runs the release when all who have entered until now have left. */
  void retire(Runnable release) {
    List<Runnable> due = new ArrayList<>(1);
    synchronized (this) {
      epochs.getLast().releases.add(release);
      retired++;
      epochs.add(new Epoch());
      collect(due);
    }
    due.forEach(Runnable::run);
  }

  /** Releases that wait for readers. */
  synchronized long waiting() {
    return retired;
  }

  private void collect(List<Runnable> due) {
    while (epochs.size() > 1 && epochs.getFirst().readers == 0) {
      due.addAll(epochs.removeFirst().releases);
    }
    retired -= due.size();
  }

  /** Readers that entered between two retirements, and what was retired at the end. */
  static final class Epoch {
    private int readers;
    private final List<Runnable> releases = new ArrayList<>(1);
  }
}
