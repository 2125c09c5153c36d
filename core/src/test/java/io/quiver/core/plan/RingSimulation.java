package io.quiver.core.plan;

import io.quiver.core.engine.RingPatience;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.ShuffleQuality;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, a cache and a store in virtual time, around the real planner and samplers. Cache reads cost
 * nothing, the store hands out items one after the other at a fixed rate, plans take a moment to
 * arrive. Checks by itself that every epoch delivers every item once and that no more is resident
 * than fits.
 */
final class RingSimulation {
  private static final DatasetKey KEY = new DatasetKey("00000000000000aa");
  private static final int DEPTH = 4;
  private static final double LOOK_AGAIN = 0.1;

  private final int items;
  private final double fraction;
  private final double itemsPerSecond;
  private final double planDelay;
  private final int epochs;
  private final Planner planner;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
  private final Map<String, Observed<JobReport>> reports = new HashMap<>();
  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final ArrayDeque<Integer> demand = new ArrayDeque<>();
  private final Map<Integer, List<Runnable>> waiting = new HashMap<>();
  private final BitSet resident;
  private final Set<Integer> onTheirWay = new HashSet<>();
  private final Map<ChunkGeneration, int[]> preloading = new HashMap<>();
  private final Map<Integer, Integer> residentOf = new HashMap<>();
  private final Map<Integer, Long> epochReads = new HashMap<>();
  private Plan plan = Plan.empty(1);
  private Plan visible = plan;
  private boolean storeBusy;
  private double now;
  private long eventNumber;
  private long reads;
  private int mostRotating;
  private int chunks;
  private boolean managerDown;

  RingSimulation(int items, double fraction, double itemsPerSecond, double planDelay, int epochs) {
    this(PlannerConfig.DEFAULT, items, fraction, itemsPerSecond, planDelay, epochs);
  }

  RingSimulation(
      PlannerConfig config,
      int items,
      double fraction,
      double itemsPerSecond,
      double planDelay,
      int epochs) {
    this.planner = new Planner(config);
    this.items = items;
    this.fraction = fraction;
    this.itemsPerSecond = itemsPerSecond;
    this.planDelay = planDelay;
    this.epochs = epochs;
    this.resident = new BitSet(items);
  }

  private record Event(double at, long number, Runnable action) {}

  private void at(double time, Runnable action) {
    events.add(new Event(time, eventNumber++, action));
  }

  void join(String name, double itemSeconds, int batch, double start, long seed) {
    SimulatedJob job = new SimulatedJob(name, itemSeconds, batch, seed);
    jobs.add(job);
    at(start, job::begin);
  }

  /** The job is gone without a word. */
  void kill(String name, double when) {
    at(
        when,
        () -> jobs.stream().filter(job -> job.name.equals(name)).forEach(job -> job.dead = true));
  }

  /** A manager that knows nothing takes over. */
  void restartManager(double when, double downFor) {
    at(when, () -> managerDown = true);
    at(
        when + downFor,
        () -> {
          managerDown = false;
          reports.clear();
          plan = Plan.empty(plan.version() + 1_000_000);
          jobs.stream().filter(job -> job.running && !job.dead).forEach(job -> job.note(false));
          replan();
        });
  }

  void run() {
    double last = 0;
    while (!events.isEmpty()) {
      Event event = events.remove();
      if (event.at > 1e7) {
        throw new AssertionError("no end in sight at " + now);
      }
      now = event.at;
      event.action.run();
      if (now - last > 0.5) {
        last = now;
        replan(); // the manager's own tick
      }
      if (jobs.stream().allMatch(job -> job.dead || job.done)) {
        return;
      }
      if (events.isEmpty()) {
        at(now + 0.25, this::replan); // waiting jobs must not wait for ever
        jobs.forEach(SimulatedJob::advance);
      }
    }
  }

  long reads() {
    return reads;
  }

  /** Reads until the first job began this epoch. */
  long readsUntilEpoch(int epoch) {
    return epochReads.getOrDefault(epoch, reads);
  }

  int mostRotating() {
    return mostRotating;
  }

  int chunks() {
    return chunks;
  }

  double seconds(String name) {
    return jobs.stream().filter(job -> job.name.equals(name)).findFirst().orElseThrow().seconds();
  }

  /** The order a job was given items in, epoch by epoch. */
  List<ShuffleQuality> orders(String name) {
    return jobs.stream().filter(job -> job.name.equals(name)).findFirst().orElseThrow().orders;
  }

  private @Nullable DatasetPlan shown() {
    return visible.forJob("any", KEY).dataset();
  }

  private void replan() {
    if (managerDown) {
      return;
    }
    reports.values().removeIf(seen -> now * 1e9 - seen.at() > 30e9);
    Observed<ServerReport> server =
        new Observed<>(
            new ServerReport(
                "s", "i", "http://s", (long) (items * fraction + 0.5), Map.of(), 0, false),
            (long) (now * 1e9));
    Plan next =
        planner.next(
            plan,
            new Observations(List.copyOf(reports.values()), List.of(server), (long) (now * 1e9)),
            Long.MAX_VALUE);
    boolean changed = next.version() != plan.version();
    plan = next;
    if (changed) {
      check(next);
      at(now + planDelay, () -> show(next));
    }
  }

  private void check(Plan next) {
    for (DatasetPlan dataset : next.datasets()) {
      long rotating = dataset.held().stream().filter(c -> c.role() == ChunkRole.ROTATING).count();
      mostRotating = Math.max(mostRotating, (int) rotating);
      chunks = dataset.chunks();
      double held = (double) dataset.held().size() * items / dataset.chunks();
      if (held > items * fraction + 1) {
        throw new AssertionError("holds " + held + " of " + items * fraction);
      }
    }
  }

  private void show(Plan next) {
    if (next.version() <= visible.version()) {
      return;
    }
    visible = next;
    DatasetPlan dataset = shown();
    if (dataset != null) {
      ChunkLayout layout = new ChunkLayout(items, dataset.chunks());
      for (int item = resident.nextSetBit(0); item >= 0; item = resident.nextSetBit(item + 1)) {
        if (dataset.find(layout.chunkOf(item)).isEmpty()) {
          resident.clear(item);
          residentOf.merge(layout.chunkOf(item), -1, Integer::sum);
        }
      }
    }
    serve();
    jobs.forEach(SimulatedJob::advance);
  }

  /** The store takes what batches need first, then what the plan wants loaded. */
  private void serve() {
    if (storeBusy) {
      return;
    }
    Integer item = demand.poll();
    if (item == null) {
      item = nextPreload();
    }
    if (item == null) {
      return;
    }
    int fetched = item;
    onTheirWay.add(fetched);
    storeBusy = true;
    reads++;
    at(now + 1 / itemsPerSecond, () -> arrived(fetched));
  }

  private @Nullable Integer nextPreload() {
    DatasetPlan dataset = shown();
    if (dataset == null || jobs.stream().noneMatch(job -> job.running && !job.dead)) {
      return null;
    }
    for (int chunk : dataset.residency().loading()) {
      long generation = dataset.find(chunk).orElseThrow().generation();
      int[] place =
          preloading.computeIfAbsent(new ChunkGeneration(chunk, generation), any -> new int[1]);
      ChunkLayout layout = new ChunkLayout(items, dataset.chunks());
      SeededPermutation order = new SeededPermutation(layout.size(chunk), generation);
      while (place[0] < layout.size(chunk)) {
        int member = layout.member(chunk, order.at(place[0]++));
        if (!resident.get(member) && !onTheirWay.contains(member) && !waiting.containsKey(member)) {
          return member;
        }
      }
    }
    return null;
  }

  private void arrived(int item) {
    storeBusy = false;
    onTheirWay.remove(item);
    DatasetPlan dataset = shown();
    if (dataset != null) {
      int chunk = new ChunkLayout(items, dataset.chunks()).chunkOf(item);
      if (dataset.find(chunk).isPresent()) {
        if (!resident.get(item)) {
          resident.set(item);
          residentOf.merge(chunk, 1, Integer::sum);
        }
        if (isWhole(dataset, chunk)) {
          jobs.stream()
              .filter(job -> job.running && !job.dead)
              .limit(1)
              .forEach(job -> job.note(true));
        }
      }
    }
    List<Runnable> who = waiting.remove(item);
    if (who != null) {
      who.forEach(Runnable::run);
    }
    serve();
  }

  private boolean isWhole(DatasetPlan dataset, int chunk) {
    ChunkLayout layout = new ChunkLayout(items, dataset.chunks());
    return residentOf.getOrDefault(chunk, 0) == layout.size(chunk);
  }

  private final class SimulatedJob {
    private final String name;
    private final double itemSeconds;
    private final int batch;
    private final long seed;
    private final BitSet delivered;
    private final List<ShuffleQuality> orders = new ArrayList<>();
    private final RingPatience patience;
    private @Nullable EpochOrder sampler;
    private int layoutChunks;
    private int epoch;
    private int flying;
    private int ready;
    private final ArrayDeque<Integer> readySizes = new ArrayDeque<>();
    private boolean computing;
    private boolean running;
    private boolean done;
    private boolean dead;
    private double started;
    private double ended;
    private boolean lookingAgain;
    private long sequence;
    private final Map<Integer, Integer> flyingByChunk = new HashMap<>();

    SimulatedJob(String name, double itemSeconds, int batch, long seed) {
      this.name = name;
      this.itemSeconds = itemSeconds;
      this.batch = batch;
      this.seed = seed;
      this.delivered = new BitSet(items);
      this.patience = new RingPatience(batch);
    }

    double seconds() {
      return ended - started;
    }

    void begin() {
      running = true;
      started = now;
      note(true);
      at(now + planDelay * 2, this::advance);
    }

    private void note(boolean replan) {
      if (managerDown || dead) {
        return;
      }
      DatasetPlan held = shown();
      List<Integer> remaining = new ArrayList<>();
      int chunks = sampler == null ? 0 : layoutChunks;
      for (int chunk = 0; chunk < chunks; chunk++) {
        remaining.add(
            Objects.requireNonNull(sampler).available(chunk)
                + flyingByChunk.getOrDefault(chunk, 0));
      }
      List<ChunkGeneration> loaded = new ArrayList<>();
      if (held != null) {
        for (ChunkEntry chunk : held.held()) {
          if (isWhole(held, chunk.chunk())) {
            loaded.add(new ChunkGeneration(chunk.chunk(), chunk.generation()));
          }
        }
      }
      reports.put(
          name,
          new Observed<>(
              JobReport.of(name, name, KEY, items, items, batch)
                  .sequence(sequence++)
                  .epoch(epoch, epoch == epochs - 1)
                  .remaining(remaining)
                  .loaded(loaded)
                  .times(itemSeconds, 0)
                  .following(held == null ? 0 : visible.version(), held)
                  .build(),
              (long) (now * 1e9)));
      if (replan) {
        replan();
      }
    }

    private EpochOrder sampler(DatasetPlan dataset) {
      int chunks = dataset.chunks();
      if (sampler == null) {
        layoutChunks = chunks;
        orders.add(new ShuffleQuality(items));
        sampler =
            EpochOrder.begin(
                SamplerKind.SUBSTITUTE, OrderSetup.single(items, chunks, batch, seed), epoch);
      }
      return sampler;
    }

    /** Draws as far ahead as it may, and begins to compute when something is ready. */
    void advance() {
      if (!running || dead || done) {
        return;
      }
      DatasetPlan dataset = shown();
      if (dataset == null) {
        return;
      }
      EpochOrder current = sampler(dataset);
      Residency residency = dataset.residency();
      boolean drew = false;
      while (flying + ready < DEPTH && mayDraw(current, dataset)) {
        Optional<Draw> draw = current.draw(residency, visible.ringRole(name));
        if (draw.isEmpty()) {
          break;
        }
        drew = true;
        flying++;
        count(draw.get(), 1);
        assemble(draw.get());
      }
      if (drew) {
        note(true);
      }
      compute();
    }

    private boolean mayDraw(EpochOrder current, DatasetPlan dataset) {
      boolean waits =
          patience.waits(
              dataset,
              current,
              Math.max(1, items / dataset.chunks()),
              !managerDown,
              (long) (now * 1e9));
      if (waits && !lookingAgain) {
        lookingAgain = true;
        at(
            now + LOOK_AGAIN,
            () -> {
              lookingAgain = false;
              advance();
            });
      }
      return !waits;
    }

    private void count(Draw draw, int sign) {
      ChunkLayout layout = new ChunkLayout(items, layoutChunks);
      for (int[] part : new int[][] {draw.candidates(), draw.fetch()}) {
        for (int item : part) {
          flyingByChunk.merge(layout.chunkOf(item), sign, Integer::sum);
        }
      }
    }

    private void assemble(Draw draw) {
      List<Integer> taken = new ArrayList<>();
      List<Integer> missing = new ArrayList<>();
      for (int item : draw.candidates()) {
        if (taken.size() < draw.want() && resident.get(item)) {
          taken.add(item);
        } else if (!resident.get(item)) {
          missing.add(item);
        }
      }
      List<Integer> needed =
          new ArrayList<>(missing.subList(0, Math.min(missing.size(), draw.want() - taken.size())));
      Arrays.stream(draw.fetch()).forEach(needed::add);
      List<Integer> absent = needed.stream().filter(item -> !resident.get(item)).toList();
      taken.addAll(needed);
      int[] left = {absent.size()};
      for (int item : absent) {
        if (!waiting.containsKey(item)) {
          if (!onTheirWay.contains(item)) {
            demand.add(item);
          }
        }
        waiting
            .computeIfAbsent(item, any -> new ArrayList<>())
            .add(() -> {
              if (--left[0] == 0) {
                assembled(draw, taken);
              }
            });
      }
      serve();
      if (absent.isEmpty()) {
        at(now, () -> assembled(draw, taken));
      }
    }

    private void assembled(Draw draw, List<Integer> taken) {
      if (dead) {
        return;
      }
      flying--;
      count(draw, -1);
      Objects.requireNonNull(sampler)
          .settle(draw, taken.stream().mapToInt(Integer::intValue).toArray());
      for (int item : taken) {
        if (delivered.get(item)) {
          throw new AssertionError(name + " got " + item + " twice in epoch " + epoch);
        }
        delivered.set(item);
      }
      orders.getLast().add(taken.stream().mapToInt(Integer::intValue).toArray());
      ready++;
      readySizes.add(taken.size());
      note(true);
      compute();
      advance();
    }

    private void compute() {
      if (computing || dead) {
        return;
      }
      if (ready == 0) {
        if (Objects.requireNonNull(sampler).finished() && flying == 0) {
          endEpoch();
        }
        return;
      }
      ready--;
      computing = true;
      at(
          now + readySizes.remove() * itemSeconds,
          () -> {
            computing = false;
            advance();
          });
    }

    private void endEpoch() {
      if (delivered.cardinality() != items) {
        throw new AssertionError(name + " got " + delivered.cardinality() + " of " + items);
      }
      delivered.clear();
      sampler = null;
      epoch++;
      epochReads.putIfAbsent(epoch, reads);
      if (epoch == epochs) {
        done = true;
        running = false;
        ended = now;
        reports.remove(name);
        replan();
        jobs.forEach(SimulatedJob::advance);
      } else {
        advance();
      }
    }
  }
}
