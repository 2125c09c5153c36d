package io.quiver.core.plan.chunk;

import io.quiver.core.plan.allocate.DatasetKey;
import java.util.Comparator;
import java.util.List;

/**
 * The planner's state of a data set.
 *
 * @param division the data set and its division into chunks
 * @param ring whether chunks rotate
 * @param plannedChunks the chunks in the cache or on their way, in the order they came
 * @param cursor where the search for the next chunk begins
 * @param nextGeneration the number of the next chunk's stay
 * @param usedAt when a job last used it
 */
public record DatasetState(
    Division division,
    boolean ring,
    List<PlannedChunk> plannedChunks,
    int cursor,
    long nextGeneration,
    long usedAt) {
  /**
   * A data set divided into chunks.
   *
   * @param dataset which one
   * @param items how many items it has
   * @param bytes how long they are together
   * @param chunks how many chunks it is divided into
   */
  public record Division(DatasetKey dataset, int items, long bytes, int chunks) {}

  /** The degree to which the planned chunks of a data set are in the cache. */
  public enum FillState {
    /** Nothing: its jobs read the store. */
    NOTHING,
    /** Some of it is still on its way. */
    LOADING,
    /** All of it is there, so that its jobs show what the cache gives. */
    SETTLED
  }

  /** Keeps the chunks in the order of their generations. */
  public DatasetState {
    plannedChunks = inOrder(plannedChunks);
  }

  private static List<PlannedChunk> inOrder(List<PlannedChunk> plannedChunks) {
    boolean sorted = true;
    for (int i = 1; sorted && i < plannedChunks.size(); i++) {
      sorted = plannedChunks.get(i - 1).generation() <= plannedChunks.get(i).generation();
    }
    return sorted
        ? List.copyOf(plannedChunks)
        : plannedChunks.stream()
            .sorted(Comparator.comparingLong(PlannedChunk::generation))
            .toList();
  }

  /** Returns the data set. */
  public DatasetKey dataset() {
    return division.dataset;
  }

  /** Returns the number of its items. */
  public int items() {
    return division.items;
  }

  /** Returns its length. */
  public long bytes() {
    return division.bytes;
  }

  /** Returns the number of its chunks. */
  public int chunks() {
    return division.chunks;
  }

  /** Returns a copy with these chunks instead. */
  public DatasetState with(List<PlannedChunk> others) {
    return new DatasetState(division, ring, others, cursor, nextGeneration, usedAt);
  }

  DatasetState used(boolean rotates, long now) {
    return new DatasetState(division, rotates, plannedChunks, cursor, nextGeneration, now);
  }

  DatasetState at(int place, long generation) {
    return new DatasetState(division, ring, plannedChunks, place, generation, usedAt);
  }

  /** Returns a copy in another number of chunks; only while none is held. */
  public DatasetState divided(int into) {
    Division other = new Division(dataset(), items(), bytes(), into);
    return new DatasetState(other, ring, plannedChunks, 0, nextGeneration, usedAt);
  }

  /** Returns how many whole chunks fit into a budget. */
  public int fitting(long budget) {
    double fit = bytes() == 0 ? chunks() : budget / chunkBytes();
    return Math.clamp((long) Math.floor(fit + 1e-6), 0, chunks());
  }

  /** Returns how far the cache is filled with what is to stay. */
  public FillState fillState() {
    if (plannedChunks.isEmpty()) {
      return FillState.NOTHING;
    }
    boolean whole = plannedChunks.stream().anyMatch(PlannedChunk::isWhole);
    boolean coming =
        plannedChunks.stream().anyMatch(planned -> !planned.isWhole() && !planned.isRotating());
    return whole && !coming ? FillState.SETTLED : FillState.LOADING;
  }

  /** Returns the part of it that stays across epochs, as far as it is there. */
  public double pinnedShare() {
    int pinned = 0;
    for (PlannedChunk planned : plannedChunks) {
      pinned += !planned.isRotating() && planned.isWhole() ? 1 : 0;
    }
    return (double) pinned / chunks();
  }

  /** Returns about how long a chunk is. */
  public double chunkBytes() {
    return (double) bytes() / chunks();
  }

  /** Returns about how many bytes its chunks take. */
  public long listedBytes() {
    return Math.round(plannedChunks.size() * chunkBytes());
  }

  /** Returns what jobs are told of it. */
  public DatasetPlan shown() {
    return new DatasetPlan(
        dataset(),
        items(),
        bytes(),
        chunks(),
        ring,
        plannedChunks.stream().map(PlannedChunk::shown).toList());
  }

  /** Returns true if nobody would see a difference. */
  public boolean showsSame(DatasetState other) {
    boolean same =
        division.equals(other.division)
            && ring == other.ring
            && plannedChunks.size() == other.plannedChunks.size();
    for (int i = 0; same && i < plannedChunks.size(); i++) {
      same = plannedChunks.get(i).showsSame(other.plannedChunks.get(i));
    }
    return same;
  }
}
