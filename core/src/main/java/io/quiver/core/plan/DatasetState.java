package io.quiver.core.plan;

import java.util.Comparator;
import java.util.List;

/**
 * What the planner remembers of a data set.
 *
 * @param dataset which one
 * @param items how many items it has
 * @param bytes how long they are together
 * @param chunks how many chunks it is divided into
 * @param ring whether chunks rotate
 * @param plannedChunks the chunks it leases, in the order they came
 * @param cursor where the search for the next chunk begins
 * @param nextGeneration the number of the next chunk's stay
 * @param usedAt when a job last used it
 */
record DatasetState(
    DatasetKey dataset,
    int items,
    long bytes,
    int chunks,
    boolean ring,
    List<PlannedChunk> plannedChunks,
    int cursor,
    long nextGeneration,
    long usedAt) {
  DatasetState {
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

  DatasetState with(List<PlannedChunk> others) {
    return new DatasetState(
        dataset, items, bytes, chunks, ring, others, cursor, nextGeneration, usedAt);
  }

  DatasetState used(boolean rotates, long now) {
    return new DatasetState(
        dataset, items, bytes, chunks, rotates, plannedChunks, cursor, nextGeneration, now);
  }

  DatasetState at(int place, long generation) {
    return new DatasetState(
        dataset, items, bytes, chunks, ring, plannedChunks, place, generation, usedAt);
  }

  /** The same in another number of chunks; only while none is held. */
  DatasetState divided(int into) {
    return new DatasetState(
        dataset, items, bytes, into, ring, plannedChunks, 0, nextGeneration, usedAt);
  }

  FillState holding() {
    if (plannedChunks.isEmpty()) {
      return FillState.NOTHING;
    }
    boolean whole = plannedChunks.stream().anyMatch(PlannedChunk::isWhole);
    boolean coming =
        plannedChunks.stream().anyMatch(planned -> !planned.isWhole() && !planned.isRotating());
    return whole && !coming ? FillState.SETTLED : FillState.LOADING;
  }

  /** Which part of it stays across epochs, as far as it is there. */
  double pinnedShare() {
    int pinned = 0;
    for (PlannedChunk planned : plannedChunks) {
      pinned += !planned.isRotating() && planned.isWhole() ? 1 : 0;
    }
    return (double) pinned / chunks;
  }

  /** About how long a chunk is. */
  double chunkBytes() {
    return (double) bytes / chunks;
  }

  DatasetPlan shown() {
    return new DatasetPlan(
        dataset,
        items,
        bytes,
        chunks,
        ring,
        plannedChunks.stream().map(PlannedChunk::shown).toList());
  }

  /** Whether nobody would see a difference. */
  boolean looksLike(DatasetState other) {
    boolean same =
        items == other.items
            && bytes == other.bytes
            && chunks == other.chunks
            && ring == other.ring
            && plannedChunks.size() == other.plannedChunks.size();
    for (int i = 0; same && i < plannedChunks.size(); i++) {
      same = plannedChunks.get(i).looksLike(other.plannedChunks.get(i));
    }
    return same;
  }
}
