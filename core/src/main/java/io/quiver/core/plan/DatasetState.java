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
 * @param lives the chunks it holds, in the order they came
 * @param cursor where the search for the next chunk begins
 * @param nextTurn the number of the next chunk's stay
 * @param usedAt when a job last used it
 */
record DatasetState(
    DatasetKey dataset,
    int items,
    long bytes,
    int chunks,
    boolean ring,
    List<ChunkLife> lives,
    int cursor,
    long nextTurn,
    long usedAt) {
  DatasetState {
    lives = inOrder(lives);
  }

  private static List<ChunkLife> inOrder(List<ChunkLife> lives) {
    boolean sorted = true;
    for (int i = 1; sorted && i < lives.size(); i++) {
      sorted = lives.get(i - 1).turn() <= lives.get(i).turn();
    }
    return sorted
        ? List.copyOf(lives)
        : lives.stream().sorted(Comparator.comparingLong(ChunkLife::turn)).toList();
  }

  DatasetState with(List<ChunkLife> others) {
    return new DatasetState(dataset, items, bytes, chunks, ring, others, cursor, nextTurn, usedAt);
  }

  DatasetState used(boolean rotates, long now) {
    return new DatasetState(dataset, items, bytes, chunks, rotates, lives, cursor, nextTurn, now);
  }

  DatasetState at(int place, long turn) {
    return new DatasetState(dataset, items, bytes, chunks, ring, lives, place, turn, usedAt);
  }

  /** The same in another number of chunks; only while none is held. */
  DatasetState divided(int into) {
    return new DatasetState(dataset, items, bytes, into, ring, lives, 0, nextTurn, usedAt);
  }

  Holding holding() {
    if (lives.isEmpty()) {
      return Holding.NOTHING;
    }
    boolean whole = lives.stream().anyMatch(ChunkLife::isWhole);
    boolean coming = lives.stream().anyMatch(life -> !life.isWhole() && !life.isRotating());
    return whole && !coming ? Holding.SETTLED : Holding.LOADING;
  }

  /** Which part of it stays across epochs, as far as it is there. */
  double pinnedShare() {
    int pinned = 0;
    for (ChunkLife life : lives) {
      pinned += !life.isRotating() && life.isWhole() ? 1 : 0;
    }
    return (double) pinned / chunks;
  }

  /** About how long a chunk is. */
  double chunkBytes() {
    return (double) bytes / chunks;
  }

  DatasetPlan shown() {
    return new DatasetPlan(
        dataset, items, bytes, chunks, ring, lives.stream().map(ChunkLife::shown).toList());
  }

  /** Whether nobody would see a difference. */
  boolean looksLike(DatasetState other) {
    boolean same =
        items == other.items
            && bytes == other.bytes
            && chunks == other.chunks
            && ring == other.ring
            && lives.size() == other.lives.size();
    for (int i = 0; same && i < lives.size(); i++) {
      same = lives.get(i).looksLike(other.lives.get(i));
    }
    return same;
  }
}
