package io.quiver.simulator.igt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The blocks that are on their way from the store, each once, with the workers who wait. */
final class Flights {
  private final Map<Long, Flight> byKey = new HashMap<>();

  /** A block on its way. */
  static final class Flight {
    final FileSet files;
    final int block;
    final long began;
    private final List<WaitingWorker> waiters = new ArrayList<>(1);

    private Flight(FileSet files, int block, long began) {
      this.files = files;
      this.block = block;
      this.began = began;
    }

    long key() {
      return files.key(block);
    }

    int bytes() {
      return files.bytes(block);
    }

    /** Has a worker told when it arrives. */
    void await(RunningProgram job, int worker, long now) {
      waiters.add(new WaitingWorker(job, worker, now));
    }

    List<WaitingWorker> waiters() {
      return waiters;
    }
  }

  /** A worker that waits, and since when. */
  record WaitingWorker(RunningProgram job, int worker, long since) {}

  @Nullable Flight find(long key) {
    return byKey.get(key);
  }

  Flight begin(FileSet files, int block, long now) {
    Flight flight = new Flight(files, block, now);
    byKey.put(flight.key(), flight);
    return flight;
  }

  void end(Flight flight) {
    byKey.remove(flight.key());
  }
}
