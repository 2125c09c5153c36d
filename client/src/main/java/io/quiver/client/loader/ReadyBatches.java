package io.quiver.client.loader;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Batches that have been read and wait to be taken, how many bytes are ahead of the training loop,
 * and what has been handed out. Not thread-safe: its owner has a lock.
 */
final class ReadyBatches {
  private final boolean inOrder;
  private final long[] delivered;
  private final TreeMap<Long, Outcome> ready = new TreeMap<>();
  private long nextDraw;
  private long nextTaken;
  private long bytesAhead;

  /**
   * None yet.
   *
   * @param inOrder whether they are taken in the order of their draws
   * @param delivered a bit for each item handed out before
   */
  ReadyBatches(boolean inOrder, long[] delivered) {
    this.inOrder = inOrder;
    this.delivered = delivered;
  }

  /** Returns a batch of so many bytes is going to be read; returns its turn. */
  long expect(long bytes) {
    bytesAhead += bytes;
    return nextDraw++;
  }

  void put(long turn, Outcome outcome) {
    ready.put(turn, outcome);
  }

  /** Puts a failure after all others. */
  void fail(RuntimeException failure) {
    ready.put(nextDraw++, new Outcome(0, null, failure));
  }

  int size() {
    return ready.size();
  }

  boolean isEmpty() {
    return ready.isEmpty();
  }

  /** Bytes that are being read or wait. */
  long bytesAhead() {
    return bytesAhead;
  }

  /** Takes the next one; null while it is not there. */
  @Nullable Outcome take() {
    Map.Entry<Long, Outcome> first = ready.firstEntry();
    if (first == null || (inOrder && first.getKey() != nextTaken)) {
      return null;
    }
    ready.pollFirstEntry();
    nextTaken = Math.max(nextTaken, first.getKey() + 1);
    bytesAhead -= first.getValue().bytes();
    noteDelivered(first.getValue().batch());
    return first.getValue();
  }

  private void noteDelivered(@Nullable ReadBatch batch) {
    for (int place = 0; batch != null && place < batch.size(); place++) {
      int item = batch.item(place);
      delivered[item >> 6] |= batch.isPadding(place) ? 0 : 1L << item;
    }
  }

  /** Returns a bit for each item handed out. */
  long[] delivered() {
    return delivered.clone();
  }

  /** Gives back the memory of all that nobody will take. */
  void discard() {
    for (Outcome each : ready.values()) {
      ReadBatch batch = each.batch();
      if (batch != null) {
        batch.close();
      }
    }
    ready.clear();
  }
}
