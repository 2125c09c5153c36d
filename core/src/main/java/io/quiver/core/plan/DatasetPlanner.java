package io.quiver.core.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Moves the chunks of one data set a step on in their lives: pin + ring. Some chunks are pinned and
 * stay; a few rotate through the rest. A rotating chunk is LOADING until a job finds it whole,
 * ACTIVE until another is whole, MARKED until nobody holds it, and then makes room for the next.
 */
final class DatasetPlanner {
  /** How many chunks are brought in at the same time. */
  static final int MAX_LOADING = 3;

  private final PlannerConfig config;
  private final ChunkHolds holds;

  DatasetPlanner(PlannerConfig config) {
    this.config = config;
    this.holds = new ChunkHolds(config);
  }

  /**
   * The state that follows.
   *
   * @param workers the jobs that read the data set; there is at least one
   * @param budget how many bytes it may hold
   */
  DatasetState next(DatasetState before, List<Worker> workers, long budget, long now) {
    int fit = fitting(before, budget);
    long readers = workers.stream().filter(worker -> !worker.warms()).count();
    boolean ring = readers > 1 && fit >= config.window() && fit < before.chunks();
    DatasetState state = before.used(ring, now).with(found(before.lives(), workers, now));
    int pinned = ring ? fit - config.window() : fit;
    state = state.with(inRoles(state.lives(), pinned, ring));
    ChunkNeeds needs = ChunkNeeds.of(state, workers);
    state = state.with(rotate(state, workers, needs, now));
    return load(state, workers, needs, pinned);
  }

  /** How many chunks a budget holds. */
  static int fitting(DatasetState state, long budget) {
    double fit = state.bytes() == 0 ? state.chunks() : budget / state.chunkBytes();
    return Math.clamp((long) Math.floor(fit + 1e-6), 0, state.chunks());
  }

  /** Chunks a job has found whole are. */
  private static List<ChunkLife> found(List<ChunkLife> lives, List<Worker> workers, long now) {
    List<ChunkLife> after = new ArrayList<>(lives.size());
    for (ChunkLife life : lives) {
      after.add(!life.isWhole() && isFound(life, workers) ? life.whole(now) : life);
    }
    return after;
  }

  private static boolean isFound(ChunkLife life, List<Worker> workers) {
    for (Worker worker : workers) {
      for (ChunkTurn loaded : worker.report().loaded()) {
        if (loaded.chunk() == life.chunk() && loaded.turn() == life.turn()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Gives each chunk the role it has now that so many are pinned; those without one go. */
  private List<ChunkLife> inRoles(List<ChunkLife> lives, int pinned, boolean ring) {
    List<ChunkLife> kept = new ArrayList<>();
    List<ChunkLife> rest = new ArrayList<>();
    for (ChunkLife life : lives) {
      boolean fits = !life.isRotating() && kept.size() < pinned;
      (fits ? kept : rest).add(life);
    }
    if (!ring) {
      rest.sort(Comparator.comparing(ChunkLife::state).reversed());
    }
    int rotating = 0;
    for (ChunkLife life : rest) {
      if (!ring && kept.size() < pinned) {
        kept.add(life.inRole(ChunkRole.PINNED));
      } else if (ring && life.isRotating() && rotating < config.window()) {
        kept.add(life);
        rotating++;
      }
    }
    for (ChunkLife life : rest) {
      if (ring && !life.isRotating() && rotating < config.window()) {
        kept.add(life.inRole(ChunkRole.ROTATING));
        rotating++;
      }
    }
    return kept;
  }

  /** Marks whole rotating chunks but the newest, and lets them go when nobody holds them. */
  private List<ChunkLife> rotate(
      DatasetState state, List<Worker> workers, ChunkNeeds needs, long now) {
    long newest =
        state.lives().stream()
            .filter(life -> life.isRotating() && life.isWhole())
            .mapToLong(ChunkLife::turn)
            .max()
            .orElse(Long.MIN_VALUE);
    boolean pressing = isPressing(state, workers, needs);
    List<ChunkLife> kept = new ArrayList<>();
    for (ChunkLife life : state.lives()) {
      if (!life.isRotating() || !life.isWhole()) {
        kept.add(life);
        continue;
      }
      ChunkLife renewed = holds.renew(life, state, workers, now);
      ChunkLife next = life.turn() < newest ? renewed.marked() : renewed;
      boolean unneeded = pressing && needs.items(life.chunk()) == 0;
      boolean spent = pressing || next.finishedAt().isPresent();
      boolean goes = next.state() == ChunkState.MARKED && spent && holds.isFree(next, now);
      if (!goes && !unneeded) {
        kept.add(next);
      }
    }
    return kept;
  }

  /**
   * Whether room is wanted so much that chunks go which nobody has read yet: another is wanted, or
   * no epoch follows in which these could be read.
   */
  private static boolean isPressing(DatasetState state, List<Worker> workers, ChunkNeeds needs) {
    return workers.stream().allMatch(worker -> worker.report().lastEpoch())
        || needs.mostWanted(absent(state, state.lives())).isPresent();
  }

  /** Begins to load what there is room for: what is pinned first. */
  private DatasetState load(
      DatasetState state, List<Worker> workers, ChunkNeeds needs, int pinned) {
    List<ChunkLife> lives = new ArrayList<>(state.lives());
    int cursor = state.cursor();
    long turn = state.nextTurn();
    while (lives.stream().filter(life -> !life.isWhole()).count() < MAX_LOADING) {
      long pins = lives.stream().filter(life -> !life.isRotating()).count();
      long rotating = lives.size() - pins;
      if (pins >= pinned && !(state.ring() && rotating < config.window())) {
        break;
      }
      OptionalInt next = nextChunk(state, lives, cursor, workers, needs);
      if (next.isEmpty()) {
        break;
      }
      ChunkRole role = pins < pinned ? ChunkRole.PINNED : ChunkRole.ROTATING;
      lives.add(ChunkLife.loading(next.getAsInt(), turn++, role));
      cursor = (next.getAsInt() + 1) % state.chunks();
    }
    return state.with(lives).at(cursor, turn);
  }

  /**
   * The chunk that most of the jobs that set the pace have yet to read, the first in turn among
   * equals: so that jobs that began at different times come together. Then the next in turn that
   * anybody needs; before the last epoch, simply the next.
   */
  private OptionalInt nextChunk(
      DatasetState state,
      List<ChunkLife> lives,
      int cursor,
      List<Worker> workers,
      ChunkNeeds needs) {
    int[] absent = absent(state.at(cursor, state.nextTurn()), lives);
    OptionalInt wanted = needs.mostWanted(absent);
    if (wanted.isPresent()) {
      return wanted;
    }
    double least = config.leastNeed() * state.items() / state.chunks();
    boolean more =
        workers.stream().anyMatch(worker -> worker.warms() || !worker.report().lastEpoch());
    OptionalInt needed =
        IntStream.of(absent).filter(chunk -> needs.items(chunk) > least).findFirst();
    return needed.isPresent() || !more ? needed : IntStream.of(absent).findFirst();
  }

  /** The chunks that are not among these, the next in turn first. */
  private static int[] absent(DatasetState state, List<ChunkLife> lives) {
    BitSet held = new BitSet(state.chunks());
    lives.forEach(life -> held.set(life.chunk()));
    return IntStream.range(0, state.chunks())
        .map(place -> (state.cursor() + place) % state.chunks())
        .filter(chunk -> !held.get(chunk))
        .toArray();
  }
}
