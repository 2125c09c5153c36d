package io.quiver.core.plan.chunk;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Moves the chunks of one data set a step on in its stay in the cache: pin + ring. Some chunks are
 * pinned and stay; a few rotate through the rest. A rotating chunk is LOADING until a job finds it
 * whole, ACTIVE until another is whole, MARKED until nobody leases it, and then gives way to the
 * next.
 */
public final class DatasetPlanner {
  /**
   * The most rotating chunks loaded at the same time. Pinned ones are all listed at once, so that
   * whatever a job reads of them is kept.
   */
  private static final int MAX_ROTATING_LOADS = 3;

  private final ChunkRules rules;

  /** Makes a planner that goes by these rules. */
  public DatasetPlanner(ChunkRules rules) {
    this.rules = rules;
  }

  /**
   * Returns the state that follows.
   *
   * @param readers the jobs that read the data set; there is at least one
   * @param budget how many bytes it may hold
   */
  public DatasetState next(DatasetState before, List<RingReader> readers, long budget, long now) {
    int fit = before.fitting(budget);
    long reading = readers.stream().filter(reader -> !reader.warming()).count();
    boolean ring = reading > 1 && fit >= rules.window() && fit < before.chunks();
    DatasetState state = before.used(ring, now).with(found(before.plannedChunks(), readers, now));
    int pinned = ring ? fit - rules.window() : fit;
    state = state.with(inRoles(state.plannedChunks(), pinned, ring));
    ChunkNeeds needs = ChunkNeeds.of(state, readers);
    state = state.with(rotate(state, readers, needs, now));
    return load(state, readers, needs, pinned);
  }

  /** Makes chunks ACTIVE that a job has found whole. */
  private static List<PlannedChunk> found(
      List<PlannedChunk> plannedChunks, List<RingReader> readers, long now) {
    if (plannedChunks.stream().allMatch(PlannedChunk::isWhole)) {
      return plannedChunks;
    }
    Set<ChunkGeneration> loaded = new HashSet<>();
    readers.forEach(reader -> loaded.addAll(reader.loaded()));
    List<PlannedChunk> after = new ArrayList<>(plannedChunks.size());
    for (PlannedChunk planned : plannedChunks) {
      boolean found = loaded.contains(new ChunkGeneration(planned.chunk(), planned.generation()));
      after.add(!planned.isWhole() && found ? planned.whole(now) : planned);
    }
    return after;
  }

  /** Gives each chunk the role it has now that so many are pinned; those without one go. */
  private List<PlannedChunk> inRoles(List<PlannedChunk> plannedChunks, int pinned, boolean ring) {
    List<PlannedChunk> kept = new ArrayList<>();
    List<PlannedChunk> rest = new ArrayList<>();
    for (PlannedChunk planned : plannedChunks) {
      boolean fits = !planned.isRotating() && kept.size() < pinned;
      (fits ? kept : rest).add(planned);
    }
    if (!ring) {
      rest.sort(Comparator.comparing(PlannedChunk::state).reversed());
    }
    int rotating = 0;
    for (PlannedChunk planned : rest) {
      if (!ring && kept.size() < pinned) {
        kept.add(planned.inRole(ChunkRole.PINNED));
      } else if (ring && planned.isRotating() && rotating < rules.window()) {
        kept.add(planned);
        rotating++;
      }
    }
    for (PlannedChunk planned : rest) {
      if (ring && !planned.isRotating() && rotating < rules.window()) {
        kept.add(planned.inRole(ChunkRole.ROTATING));
        rotating++;
      }
    }
    return kept;
  }

  /** Marks whole rotating chunks but the newest, and lets them go when nobody leases them. */
  private List<PlannedChunk> rotate(
      DatasetState state, List<RingReader> readers, ChunkNeeds needs, long now) {
    long newest =
        state.plannedChunks().stream()
            .filter(planned -> planned.isRotating() && planned.isWhole())
            .mapToLong(PlannedChunk::generation)
            .max()
            .orElse(Long.MIN_VALUE);
    boolean pressing = isPressing(state, readers, needs);
    List<PlannedChunk> kept = new ArrayList<>();
    for (PlannedChunk planned : state.plannedChunks()) {
      if (!planned.isRotating() || !planned.isWhole()) {
        kept.add(planned);
        continue;
      }
      PlannedChunk renewed = planned.renewed(state, readers, now);
      PlannedChunk next = planned.generation() < newest ? renewed.marked() : renewed;
      boolean unneeded = pressing && needs.items(planned.chunk()) == 0;
      boolean spent = pressing || next.finishedAt().isPresent();
      boolean goes = next.state() == ChunkState.MARKED && spent && next.isFree(rules, now);
      if (!goes && !unneeded) {
        kept.add(next);
      }
    }
    return kept;
  }

  /**
   * Returns true if capacity is wanted so much that chunks go which nobody has read yet: another is
   * wanted, or no epoch follows in which these could be read.
   */
  private static boolean isPressing(
      DatasetState state, List<RingReader> readers, ChunkNeeds needs) {
    return readers.stream().allMatch(reader -> reader.lastEpoch())
        || needs.mostWanted(absent(state, state.plannedChunks())).isPresent();
  }

  /** Begins to load what fits: everything to be pinned at once, then a few of the ring. */
  private DatasetState load(
      DatasetState state, List<RingReader> readers, ChunkNeeds needs, int pinned) {
    List<PlannedChunk> plannedChunks = new ArrayList<>(state.plannedChunks());
    int pins = count(plannedChunks, planned -> !planned.isRotating());
    int rotating = state.ring() ? plannedChunks.size() - pins : rules.window();
    int loads = count(plannedChunks, planned -> planned.isRotating() && !planned.isWhole());
    int cursor = state.cursor();
    long generation = state.nextGeneration();
    while (pins < pinned || (rotating < rules.window() && loads < MAX_ROTATING_LOADS)) {
      OptionalInt next = nextChunk(state, plannedChunks, cursor, readers, needs);
      if (next.isEmpty()) {
        break;
      }
      ChunkRole role = pins < pinned ? ChunkRole.PINNED : ChunkRole.ROTATING;
      plannedChunks.add(PlannedChunk.loading(next.getAsInt(), generation++, role));
      cursor = (next.getAsInt() + 1) % state.chunks();
      pins += role == ChunkRole.PINNED ? 1 : 0;
      rotating += role == ChunkRole.ROTATING ? 1 : 0;
      loads += role == ChunkRole.ROTATING ? 1 : 0;
    }
    return state.with(plannedChunks).at(cursor, generation);
  }

  private static int count(List<PlannedChunk> plannedChunks, Predicate<PlannedChunk> which) {
    return (int) plannedChunks.stream().filter(which).count();
  }

  /**
   * Returns the chunk that most of the leading jobs have yet to read, the first in order among
   * equals: so that jobs that began at different times come together. Then the next in order that
   * anybody needs; before the last epoch, simply the next.
   */
  private OptionalInt nextChunk(
      DatasetState state,
      List<PlannedChunk> plannedChunks,
      int cursor,
      List<RingReader> readers,
      ChunkNeeds needs) {
    int[] absent = absent(state.at(cursor, state.nextGeneration()), plannedChunks);
    OptionalInt wanted = needs.mostWanted(absent);
    if (wanted.isPresent()) {
      return wanted;
    }
    double least = rules.leastNeed() * state.items() / state.chunks();
    boolean more = readers.stream().anyMatch(reader -> reader.warming() || !reader.lastEpoch());
    OptionalInt needed =
        IntStream.of(absent).filter(chunk -> needs.items(chunk) > least).findFirst();
    return needed.isPresent() || !more ? needed : IntStream.of(absent).findFirst();
  }

  /** Returns the chunks that are not among these, the next in order first. */
  private static int[] absent(DatasetState state, List<PlannedChunk> plannedChunks) {
    BitSet held = new BitSet(state.chunks());
    plannedChunks.forEach(planned -> held.set(planned.chunk()));
    return IntStream.range(0, state.chunks())
        .map(place -> (state.cursor() + place) % state.chunks())
        .filter(chunk -> !held.get(chunk))
        .toArray();
  }

  /**
   * Counts for each chunk the jobs that have yet to read it and the items left, once for a plan.
   */
  private static final class ChunkNeeds {
    private final int[] wanted;
    private final int[] leftOver;
    private final long[] items;
    private final long[] leaders;
    private final long size;

    private ChunkNeeds(DatasetState state) {
      this.wanted = new int[state.chunks()];
      this.leftOver = new int[state.chunks()];
      this.items = new long[state.chunks()];
      this.leaders = new long[state.chunks()];
      this.size = Math.ceilDiv((long) state.items(), state.chunks());
    }

    static ChunkNeeds of(DatasetState state, List<RingReader> readers) {
      ChunkNeeds needs = new ChunkNeeds(state);
      readers.forEach(reader -> needs.add(state, reader));
      return needs;
    }

    /** Adds a job, which wants a chunk if it leads the ring and has most of it yet to read. */
    private void add(DatasetState state, RingReader reader) {
      boolean sets = reader.mayLease();
      long half = state.items() / (2L * state.chunks());
      ChunkCounts counts = reader.remaining(state);
      for (int chunk = 0; chunk < items.length; chunk++) {
        int remaining = counts.of(chunk);
        items[chunk] += remaining;
        if (sets && remaining > 0) {
          leaders[chunk] += remaining;
          leftOver[chunk]++;
          wanted[chunk] += remaining > half ? 1 : 0;
        }
      }
    }

    /**
     * Returns how many leading jobs want a chunk. Of one that left the cache before they had read
     * it, with a server or for lack of capacity, each has a part left over: they want it too if
     * together that is more than the chunk, for then it costs less to load it than to read the
     * parts one by one.
     */
    private int wanted(int chunk) {
      boolean isLeftOver = leaders[chunk] > size && leftOver[chunk] > wanted[chunk];
      return isLeftOver ? 2 * leftOver[chunk] + 1 : 2 * wanted[chunk];
    }

    /** Returns how many items all jobs have yet to read of a chunk. */
    long items(int chunk) {
      return items[chunk];
    }

    /** Returns the chunk that most leading jobs want, the first among equals. */
    OptionalInt mostWanted(int[] among) {
      OptionalInt best = OptionalInt.empty();
      int most = 0;
      for (int chunk : among) {
        if (wanted(chunk) > most) {
          most = wanted(chunk);
          best = OptionalInt.of(chunk);
        }
      }
      return best;
    }
  }
}
