package io.quiver.djl.example;

import io.quiver.client.loader.DeliveryListener;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Counts how often each item came in each epoch: the proof that it was once. */
final class Coverage implements DeliveryListener {
  private final int items;
  private final Map<Integer, int[]> epochs = new HashMap<>();

  Coverage(int items) {
    this.items = items;
  }

  @Override
  public synchronized void delivered(int epoch, int rank, int[] batch) {
    int[] counts = epochs.computeIfAbsent(epoch, _ -> new int[items]);
    for (int item : batch) {
      counts[item]++;
    }
  }

  /** Returns true if so many epochs had every item exactly once. */
  synchronized boolean exactlyOnce(int expectedEpochs) {
    return epochs.size() == expectedEpochs
        && epochs.values().stream()
            .allMatch(counts -> IntStream.of(counts).allMatch(count -> count == 1));
  }
}
