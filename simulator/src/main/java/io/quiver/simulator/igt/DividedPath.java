package io.quiver.simulator.igt;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.stream.AccessPattern;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.igt.Flights.Flight;
import io.quiver.simulator.igt.Flights.WaitingWorker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache that is divided by what is known of programs, to compare with (IGTCache, §5.4): training
 * programs have a space each that takes what comes first, and queries share one that evicts the
 * least recently read block, where the division does not give them a space each.
 */
final class DividedPath implements ReadPath {
  private final Engine engine;
  private final RemoteLink store;
  private final long capacityBytes;
  private final Division division;
  private final long ttlNanos;
  private final Flights flights = new Flights();
  private final List<RunningProgram> sharing = new ArrayList<>();
  private final Map<String, Keeper> keepers = new HashMap<>();

  /** The ways of dividing. */
  enum Division {
    /** Equal parts for all programs. */
    EQUAL,
    /** Parts by batch size for training, as much as its data; the rest for queries (Fluid). */
    FLUID,
    /** Half for training, the data that gains most first; half for queries (Quiver, extended). */
    QUIVER_PAPER
  }

  /**
   * Begins with nothing.
   *
   * @param ttlNanos the time after its end for which a program keeps its part
   */
  DividedPath(
      Engine engine, RemoteLink store, long capacityBytes, Division division, long ttlNanos) {
    this.engine = engine;
    this.store = store;
    this.capacityBytes = capacityBytes;
    this.division = division;
    this.ttlNanos = ttlNanos;
  }

  @Override
  public void begin(RunningProgram program, ProgramSpec.Phase phase) {
    if (!sharing.contains(program)) {
      sharing.add(program);
      divide();
    }
  }

  @Override
  public void ended(RunningProgram program) {
    engine.after(
        ttlNanos,
        any -> {
          sharing.remove(program);
          divide();
        },
        0);
  }

  private static boolean trains(RunningProgram program) {
    return program.spec().pattern() == AccessPattern.RANDOM;
  }

  private String space(RunningProgram program) {
    boolean own = trains(program) || division == Division.EQUAL;
    return own ? "program " + program.spec().number() : "queries";
  }

  private void divide() {
    Map<String, Long> quotas = quotas();
    keepers.keySet().removeIf(space -> !quotas.containsKey(space));
    for (boolean lower : new boolean[] {true, false}) {
      for (RunningProgram each : sharing) {
        String space = space(each);
        long quota = quotas.getOrDefault(space, 0L);
        KeeperKind kind = trains(each) ? KeeperKind.UNIFORM : KeeperKind.RECENT;
        Keeper keeper = keepers.computeIfAbsent(space, any -> kind.keeper(quota));
        if (quota < keeper.report().quotaBytes() == lower) {
          keeper.resize(quota, victim -> {});
        }
      }
    }
  }

  private Map<String, Long> quotas() {
    Map<String, Long> quotas = new HashMap<>();
    if (division == Division.EQUAL) {
      sharing.forEach(each -> quotas.put(space(each), capacityBytes / sharing.size()));
      return quotas;
    }
    List<RunningProgram> training =
        new ArrayList<>(sharing.stream().filter(DividedPath::trains).toList());
    boolean queries = training.size() < sharing.size();
    boolean halves = division == Division.QUIVER_PAPER && queries;
    long left = halves ? capacityBytes / 2 : capacityBytes;
    // Batches are equally large: those with little data cannot use their part.
    training.sort(Comparator.comparingLong(DividedPath::bytes));
    for (int i = 0; i < training.size(); i++) {
      long part = division == Division.FLUID ? left / (training.size() - i) : left;
      long quota = Math.min(bytes(training.get(i)), part);
      quotas.put(space(training.get(i)), quota);
      left -= quota;
    }
    if (queries) {
      quotas.put("queries", halves ? capacityBytes - capacityBytes / 2 : left);
    }
    return quotas;
  }

  private static long bytes(RunningProgram program) {
    return program.spec().phases().getLast().files().bytes();
  }

  @Override
  public void read(RunningProgram program, int worker, FileSet files, int block) {
    long key = files.key(block);
    @Nullable Flight flight = flights.find(key);
    @Nullable Keeper keeper = keepers.get(space(program));
    if (flight == null && keeper != null && keeper.touch(key)) {
      CacheTimes.answer(engine, program, worker, files.bytes(block));
      return;
    }
    if (flight == null) {
      Flight fetched = flights.begin(files, block, engine.now());
      store.fetch(fetched.bytes(), any -> arrived(fetched, space(program)), 0);
      flight = fetched;
    }
    flight.await(program, worker, engine.now());
  }

  private void arrived(Flight flight, String space) {
    flights.end(flight);
    @Nullable Keeper keeper = keepers.get(space);
    if (keeper != null) {
      keeper.offer(flight.key(), flight.bytes(), Ranked.UNKNOWN, victim -> {});
    }
    for (WaitingWorker each : flight.waiters()) {
      each.job().arrived(each.worker(), true);
    }
  }
}
