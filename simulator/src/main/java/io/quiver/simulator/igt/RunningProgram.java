package io.quiver.simulator.igt;

import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.Handler;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.Arrays;

/**
 * A program as a loader with several processes: each reads one batch after another, block by block,
 * at most two batches ahead of the computation for each process; the computation takes batches in
 * order. A pass ends when all is computed, and then the next begins.
 */
final class RunningProgram implements Handler {
  private static final long BEGIN = -1;
  private static final long COMPUTED = -2;
  private static final int BATCHES_AHEAD = 2;
  private static final double NANOS = 1e9;

  private final Engine engine;
  private final ReadPath reads;
  private final ProgramSpec spec;
  private final SeededNumbers numbers;
  private final long submitted;
  private ProgramSpec.Phase phase;
  private int phaseNumber = -1;
  private int pass;
  private int[] order = {};
  private boolean[] read = {};
  private int dispatched;
  private int computing;
  private int computed;
  private long computedAt;
  private final Worker[] workers;
  private long hits;
  private long misses;
  private long finished = -1;
  private boolean stopped;

  private static final class Worker {
    int batch = -1;
    int next;
  }

  RunningProgram(Engine engine, ReadPath reads, ProgramSpec spec, long seed, long submitted) {
    this.engine = engine;
    this.reads = reads;
    this.spec = spec;
    this.numbers = SeededNumbers.of(seed, "order of job " + spec.number());
    this.submitted = submitted;
    this.phase = spec.phases().getFirst();
    int most = spec.phases().stream().mapToInt(ProgramSpec.Phase::workers).max().orElse(1);
    this.workers = new Worker[most];
    Arrays.setAll(workers, any -> new Worker());
    engine.at(submitted, this, BEGIN);
  }

  ProgramSpec spec() {
    return spec;
  }

  /** Returns the reads that were answered without waiting for the store. */
  long hits() {
    return hits;
  }

  /** Returns the reads that waited for the store. */
  long misses() {
    return misses;
  }

  /** Returns true once everything is computed. */
  boolean isFinished() {
    return finished >= 0;
  }

  boolean hasBegun() {
    return phaseNumber >= 0;
  }

  /** Returns the time from submission to the end. */
  double seconds() {
    return (finished - submitted) / NANOS;
  }

  /** Lets the program read nothing more; it ends now. */
  void stop() {
    stopped = true;
    if (finished < 0) {
      finish();
    }
  }

  @Override
  public void happen(long what) {
    if (stopped) {
      return;
    }
    if (what == BEGIN) {
      nextPhase();
    } else if (what == COMPUTED) {
      computed++;
      dispatch();
      endPass();
    }
  }

  private void nextPhase() {
    phaseNumber++;
    if (phaseNumber == spec.phases().size()) {
      finish();
      return;
    }
    phase = spec.phases().get(phaseNumber);
    pass = 0;
    reads.begin(this, phase);
    beginPass();
  }

  private void finish() {
    finished = engine.now();
    reads.ended(this);
  }

  private void beginPass() {
    order = phase.order().pass(phase.files(), numbers);
    read = new boolean[batches()];
    dispatched = 0;
    computing = 0;
    computed = 0;
    computedAt = engine.now();
    dispatch();
  }

  private int batches() {
    return (order.length + phase.batch() - 1) / phase.batch();
  }

  /** Gives batches to idle processes. */
  private void dispatch() {
    int ahead = BATCHES_AHEAD * phase.workers();
    for (int i = 0; i < phase.workers(); i++) {
      if (workers[i].batch < 0 && dispatched < read.length && dispatched < computed + ahead) {
        workers[i].batch = dispatched++;
        workers[i].next = workers[i].batch * phase.batch();
        readNext(i);
      }
    }
  }

  private void readNext(int worker) {
    reads.read(this, worker, phase.files(), order[workers[worker].next]);
  }

  /** Takes note that a worker has its bytes. */
  void arrived(int worker, boolean fromStore) {
    if (stopped) {
      return;
    }
    if (fromStore) {
      misses++;
    } else {
      hits++;
    }
    readOn(worker);
  }

  private void readOn(int worker) {
    Worker at = workers[worker];
    at.next++;
    if (at.next < Math.min(order.length, (at.batch + 1) * phase.batch())) {
      readNext(worker);
      return;
    }
    read[at.batch] = true;
    at.batch = -1;
    compute();
    dispatch();
  }

  /** Computes the batches that are there, in order. */
  private void compute() {
    while (computing < read.length && read[computing]) {
      int from = computing * phase.batch();
      int blocks = Math.min(order.length, from + phase.batch()) - from;
      computedAt =
          Math.max(computedAt, engine.now()) + Math.round(blocks * phase.computeSeconds() * NANOS);
      engine.at(computedAt, this, COMPUTED);
      computing++;
    }
  }

  private void endPass() {
    if (computed < read.length) {
      return;
    }
    pass++;
    if (pass < phase.passes()) {
      beginPass();
    } else {
      nextPhase();
    }
  }
}
