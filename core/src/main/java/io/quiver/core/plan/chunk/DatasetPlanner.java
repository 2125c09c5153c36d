package io.quiver.core.plan.chunk;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Moves the chunks of one data set a step on in its stay in the cache: pin + ring. Some chunks are
 * pinned and stay; a few rotate through the rest. A rotating chunk is LOADING until a job finds it
 * whole, ACTIVE until another is whole, MARKED until nobody leases it, and then gives way to the
 * next.
 */
public final class DatasetPlanner {
  /** The most chunks loaded at the same time. */
  static final int MAX_LOADING = 3;

  private final ChunkRules rules;

  /** A planner that goes by these rules. */
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

  /** Chunks a job has found whole are. */
  private static List<PlannedChunk> found(
      List<PlannedChunk> plannedChunks, List<RingReader> readers, long now) {
    List<PlannedChunk> after = new ArrayList<>(plannedChunks.size());
    for (PlannedChunk planned : plannedChunks) {
      after.add(!planned.isWhole() && isFound(planned, readers) ? planned.whole(now) : planned);
    }
    return after;
  }

  private static boolean isFound(PlannedChunk planned, List<RingReader> readers) {
    for (RingReader reader : readers) {
      for (ChunkGeneration loaded : reader.loaded()) {
        if (loaded.chunk() == planned.chunk() && loaded.generation() == planned.generation()) {
          return true;
        }
      }
    }
    return false;
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

  /** Begins to load what fits: what is pinned first. */
  private DatasetState load(
      DatasetState state, List<RingReader> readers, ChunkNeeds needs, int pinned) {
    List<PlannedChunk> plannedChunks = new ArrayList<>(state.plannedChunks());
    int cursor = state.cursor();
    long generation = state.nextGeneration();
    while (plannedChunks.stream().filter(planned -> !planned.isWhole()).count() < MAX_LOADING) {
      long pins = plannedChunks.stream().filter(planned -> !planned.isRotating()).count();
      long rotating = plannedChunks.size() - pins;
      if (pins >= pinned && !(state.ring() && rotating < rules.window())) {
        break;
      }
      OptionalInt next = nextChunk(state, plannedChunks, cursor, readers, needs);
      if (next.isEmpty()) {
        break;
      }
      ChunkRole role = pins < pinned ? ChunkRole.PINNED : ChunkRole.ROTATING;
      plannedChunks.add(PlannedChunk.loading(next.getAsInt(), generation++, role));
      cursor = (next.getAsInt() + 1) % state.chunks();
    }
    return state.with(plannedChunks).at(cursor, generation);
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
}
