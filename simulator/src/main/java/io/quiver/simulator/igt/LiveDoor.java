package io.quiver.simulator.igt;

import io.quiver.core.engine.DoorMeter;
import io.quiver.core.plan.DoorPlan;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.FillPace;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.tree.AccessStreams;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.igt.Flights.Flight;
import io.quiver.simulator.igt.Flights.WaitingWorker;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A door on the machine of one program: the streams that doors recognise, and the bounds within
 * which doors read ahead and fill. Its memory has only what was read ahead and not read yet, which
 * is less than a door keeps.
 */
final class LiveDoor {
  /** Most bytes that wait in memory for their reader: half of a door's usual memory. */
  private static final long MOST_AHEAD_BYTES = 1L << 29;

  /** Most blocks that fill the cache at once: half of a door's reads of the store. */
  private static final int MOST_FILLS = 32;

  private static final int MOST_ADVICES = 32;
  private static final int MOST_SUMMARIES = 64;
  private static final int WORKER_BITS = 8;

  private final Engine engine;
  private final LivePath cluster;
  private final String name;
  private final AccessStreams streams;
  private final DoorMeter meter;
  private final FillPace pace = new FillPace(MOST_FILLS);
  private final Flights own = new Flights();
  private final FileReadAhead inFiles = new FileReadAhead(true);
  private final Map<Long, Integer> memory = new HashMap<>();
  private final Map<String, FileSet> sets = new HashMap<>();
  private long aheadBytes;
  private long sequence;

  LiveDoor(Engine engine, LivePath cluster, String name, StreamRules rules) {
    this.engine = engine;
    this.cluster = cluster;
    this.name = name;
    this.streams = new AccessStreams(rules, LiveDoor::streamKey);
    this.meter = new DoorMeter(engine.now());
  }

  /** Returns the hashed name of a stream; all doors have the same. */
  static String streamKey(String path) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < path.length(); i++) {
      hash = (hash ^ path.charAt(i)) * 0x100000001b3L;
    }
    return String.format(Locale.ROOT, "%016x", hash ^ (hash >>> 29));
  }

  /** Learns what a program lists before it reads. */
  void begin(ProgramSpec.Phase phase) {
    sets.put(phase.files().root(), phase.files());
    phase.files().list(streams::listed, phase.lists() == ProgramSpec.Lists.ALL);
  }

  void read(RunningProgram job, int worker, FileSet files, int block) {
    find(job, worker, files, block, files.key(block));
    if (files.blocksOfFile() > 1) {
      int most = inFiles.note(job, worker, files, block);
      for (int next = block + 1; next <= block + most; next++) {
        if (!isAtHand(files.key(next))) {
          Outcome _ = ahead(files, next);
        }
      }
    }
  }

  private boolean isAtHand(long key) {
    return memory.containsKey(key) || flight(key) != null;
  }

  private void find(RunningProgram job, int worker, FileSet files, int block, long key) {
    @Nullable Integer ahead = memory.remove(key);
    if (ahead != null) {
      aheadBytes -= ahead;
      answer(job, worker, files, block);
      return;
    }
    @Nullable Flight flight = flight(key);
    if (flight == null && cluster.server().read(key)) {
      answer(job, worker, files, block);
      return;
    }
    if (flight == null) {
      flight = fetch(files, block, null);
    }
    flight.await(job, worker, engine.now());
  }

  private @Nullable Flight flight(long key) {
    @Nullable Flight mine = own.find(key);
    return mine == null ? cluster.claimed().find(key) : mine;
  }

  private void answer(RunningProgram job, int worker, FileSet files, int block) {
    long nanos = CacheTimes.nanos(files.bytes(block));
    engine.after(
        nanos,
        any -> {
          delivered(job, worker, files, block, false, nanos);
        },
        0);
  }

  /** Passes a block to a worker and learns from the read. */
  void delivered(
      RunningProgram job, int worker, FileSet files, int block, boolean fromStore, long tookNanos) {
    String path = files.path(block);
    BlockAccess access =
        new BlockAccess(
            path,
            files.inFile(block),
            files.blocksOfFile(),
            files.bytes(block),
            (long) job.spec().number() << WORKER_BITS | worker,
            engine.now(),
            fromStore,
            tookNanos);
    if (streams.placements().of(path) instanceof BlockPlace.Shared) {
      meter.noteRead(
          SeededNumbers.mix(files.key(block)),
          files.bytes(block),
          fromStore,
          tookNanos,
          engine.now());
    }
    streams.read(access);
    follow();
    job.arrived(worker, fromStore);
  }

  /** Has done what is advised now. */
  void follow() {
    List<PrefetchAdvice> advices = streams.advise(MOST_ADVICES, pace.room(), engine.now());
    while (!advices.isEmpty()) {
      advices.forEach(each -> streams.ended(each, take(each)));
      advices = streams.advise(MOST_ADVICES, pace.room(), engine.now());
    }
  }

  private Outcome take(PrefetchAdvice advice) {
    @Nullable FileSet files = find(advice.path());
    int block = files == null ? -1 : files.find(advice.path(), advice.block());
    if (files == null || block < 0) {
      return Outcome.FAILED;
    }
    long key = files.key(block);
    if (isAtHand(key)) {
      return Outcome.HELD;
    }
    return advice.purpose() == Purpose.AHEAD
        ? ahead(files, block)
        : fill(files, block, advice.path());
  }

  private @Nullable FileSet find(String path) {
    String above = path;
    while (!above.isEmpty()) {
      @Nullable FileSet files = sets.get(above);
      if (files != null) {
        return files;
      }
      above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
    }
    return null;
  }

  private Outcome ahead(FileSet files, int block) {
    int bytes = files.bytes(block);
    if (aheadBytes + bytes > MOST_AHEAD_BYTES) {
      return Outcome.DROPPED;
    }
    aheadBytes += bytes;
    if (cluster.server().read(files.key(block))) {
      memory.put(files.key(block), bytes);
    } else {
      Flight _ = fetch(files, block, Purpose.AHEAD);
    }
    return Outcome.FETCHED;
  }

  private Outcome fill(FileSet files, int block, String path) {
    if (pace.room() == 0 || cluster.space(place(path)) == null) {
      return Outcome.DROPPED;
    }
    if (!cluster.server().holds(files.key(block))) {
      Flight _ = fetch(files, block, Purpose.FILL);
    }
    return Outcome.FETCHED;
  }

  private BlockPlace place(String path) {
    return streams.placements().of(path);
  }

  /** Reads a block from the store; others see it claimed if it is to be inserted. */
  private Flight fetch(FileSet files, int block, @Nullable Purpose purpose) {
    boolean inserts = cluster.space(place(files.path(block))) != null;
    Flights flights = inserts ? cluster.claimed() : own;
    Flight flight = flights.begin(files, block, engine.now());
    if (purpose == Purpose.FILL) {
      pace.begun();
    }
    cluster.store().fetch(flight.bytes(), any -> arrived(flight, flights, purpose), 0);
    return flight;
  }

  private void arrived(Flight flight, Flights flights, @Nullable Purpose purpose) {
    flights.end(flight);
    if (purpose == Purpose.FILL) {
      pace.ended(engine.now() - flight.began, engine.now());
    }
    @Nullable SpaceId space = cluster.space(place(flight.files.path(flight.block)));
    if (space != null) {
      cluster.server().offer(space, flight.key(), flight.bytes());
    }
    if (purpose == Purpose.AHEAD) {
      if (flight.waiters().isEmpty()) {
        memory.put(flight.key(), flight.bytes());
      } else {
        aheadBytes -= flight.bytes();
      }
    }
    for (WaitingWorker each : flight.waiters()) {
      LiveDoor door = cluster.door(each.job());
      door.delivered(
          each.job(), each.worker(), flight.files, flight.block, true, engine.now() - each.since());
    }
    follow();
  }

  /** Returns the report of the moment. */
  DoorReport report(long planVersion) {
    return meter
        .report(
            new DoorMeter.Reporter(name, name, ""), ++sequence, planVersion, false, engine.now())
        .withStreams(streams.summaries(MOST_SUMMARIES, engine.now()));
  }

  /** Follows a plan. */
  void follow(DoorPlan plan) {
    streams.follow(plan.streams());
    follow();
  }

  AccessStreams streams() {
    return streams;
  }
}
