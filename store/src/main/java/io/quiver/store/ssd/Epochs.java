package io.quiver.store.ssd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Delays the release of memory and files until no reader can use them any more.
 *
 * <p>A reader enters before a lookup and leaves when it no longer touches the result. A retired
 * resource is released once every reader that had entered before has left; at once when there is
 * none. Readers never wait; the last one to leave releases.
 */
final class Epochs {
  private final ArrayDeque<Epoch> epochs = new ArrayDeque<>();
  private long retired;

  Epochs() {
    epochs.add(new Epoch());
  }

  /** Enters the current epoch. The caller leaves the returned epoch exactly once. */
  synchronized Epoch enter() {
    Epoch current = epochs.getLast();
    current.readers++;
    return current;
  }

  /** Leaves an epoch. */
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

  /** Returns the number of releases that wait for readers. */
  synchronized long waiting() {
    return retired;
  }

  private void collect(List<Runnable> due) {
    while (epochs.size() > 1 && epochs.getFirst().readers == 0) {
      due.addAll(epochs.removeFirst().releases);
    }
    retired -= due.size();
  }

  /** The readers that entered between two retirements, and the resources retired at its end. */
  static final class Epoch {
    private int readers;
    private final List<Runnable> releases = new ArrayList<>(1);
  }
}
