package io.quiver.simulator.igt;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.igt.Flights.Flight;
import io.quiver.simulator.igt.Flights.WaitingWorker;
import io.quiver.simulator.keep.Evicting;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache to compare with: one space for all programs and one rule of eviction. Everything that is
 * read goes in. With read-ahead, a worker that goes forward in a file has the next blocks read, up
 * to eight, twice as many whenever it has read as many as were ahead: the way of JuiceFS.
 */
final class PlainPath implements ReadPath {
  private static final int MOST_AHEAD = 8;
  private static final int WORKER_BITS = 8;

  private final Engine engine;
  private final RemoteLink store;
  private final Evicting cache;
  private final boolean readsAhead;
  private final Flights flights = new Flights();
  private final Map<Long, FileProgress> sessions = new HashMap<>();

  /** A worker's way through a file. */
  private static final class FileProgress {
    long key = Long.MIN_VALUE;
    int inFile;
    int forward;
    int ahead;
  }

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
    long reader = (long) job.spec().number() << WORKER_BITS | worker;
    FileProgress session = sessions.computeIfAbsent(reader, any -> new FileProgress());
    int inFile = files.inFile(block);
    boolean goesOn = files.key(block) == session.key + 1 && inFile == session.inFile + 1;
    session.key = files.key(block);
    session.inFile = inFile;
    if (!goesOn) {
      session.forward = 0;
      session.ahead = inFile == 0 ? 1 : 0;
    } else {
      session.forward++;
      if (session.ahead < MOST_AHEAD && session.forward >= session.ahead) {
        session.ahead = Math.max(1, 2 * session.ahead);
      }
    }
    for (int next = 1; next <= session.ahead && inFile + next < files.blocksOfFile(); next++) {
      long key = files.key(block + next);
      if (flights.find(key) == null && !cache.holds(key)) {
        Flight _ = fetch(files, block + next);
      }
    }
  }
}
