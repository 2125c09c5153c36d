package io.quiver.simulator.igt;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.igt.Flights.Flight;
import io.quiver.simulator.igt.Flights.WaitingWorker;
import io.quiver.simulator.keep.Evicting;
import org.jspecify.annotations.Nullable;

/**
 * A cache to compare with: one space for all programs and one rule of eviction. Everything that is
 * read goes in. With read-ahead, a worker that goes forward in a file has the next blocks read, up
 * to eight, twice as many whenever it has read as many as were ahead: the way of JuiceFS.
 */
final class PlainPath implements ReadPath {
  private final Engine engine;
  private final RemoteLink store;
  private final Evicting cache;
  private final boolean readsAhead;
  private final Flights flights = new Flights();
  private final FileReadAhead ahead = new FileReadAhead(false);

  PlainPath(Engine engine, RemoteLink store, Evicting cache, boolean readsAhead) {
    this.engine = engine;
    this.store = store;
    this.cache = cache;
    this.readsAhead = readsAhead;
  }

  @Override
  public void read(RunningProgram job, int worker, FileSet files, int block) {
    long key = files.key(block);
    @Nullable Flight flight = flights.find(key);
    if (flight == null && cache.holds(key)) {
      cache.read(key, files.bytes(block));
      CacheTimes.answer(engine, job, worker, files.bytes(block));
    } else {
      (flight == null ? fetch(files, block) : flight).await(job, worker, engine.now());
    }
    if (readsAhead && files.blocksOfFile() > 1) {
      readAhead(job, worker, files, block);
    }
  }

  private Flight fetch(FileSet files, int block) {
    Flight flight = flights.begin(files, block, engine.now());
    store.fetch(flight.bytes(), any -> arrived(flight), 0);
    return flight;
  }

  private void arrived(Flight flight) {
    flights.end(flight);
    cache.read(flight.key(), flight.bytes());
    for (WaitingWorker each : flight.waiters()) {
      each.job().arrived(each.worker(), true);
    }
  }

  private void readAhead(RunningProgram job, int worker, FileSet files, int block) {
    int most = ahead.note(job, worker, files, block);
    for (int next = block + 1; next <= block + most; next++) {
      long key = files.key(next);
      if (flights.find(key) == null && !cache.holds(key)) {
        Flight _ = fetch(files, next);
      }
    }
  }
}
