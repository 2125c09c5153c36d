package io.quiver.client.loader;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads epochs to their end and judges what came: every item once, with the right bytes. */
final class Deliveries {
  private final TestDataset data;
  private final Map<Integer, int[]> counts = new HashMap<>();

  Deliveries(TestDataset data) {
    this.data = data;
  }

  /** Takes every batch of an epoch. */
  void drain(LoadedEpoch epoch, Runnable afterEach) {
    Optional<Batch> batch = epoch.next();
    while (batch.isPresent()) {
      take(batch.get());
      afterEach.run();
      batch = epoch.next();
    }
    epoch.close();
  }

  /** Takes this many batches, or what there is; says how many. */
  int take(LoadedEpoch epoch, int batches) {
    for (int i = 0; i < batches; i++) {
      Optional<Batch> batch = epoch.next();
      if (batch.isEmpty()) {
        return i;
      }
      take(batch.get());
    }
    return batches;
  }

  synchronized void take(Batch batch) {
    try (batch) {
      int[] epoch = counts.computeIfAbsent(batch.epoch(), each -> new int[data.items()]);
      for (int i = 0; i < batch.size(); i++) {
        byte[] bytes = new byte[batch.bytes(i).remaining()];
        batch.bytes(i).get(bytes);
        if (!java.util.Arrays.equals(bytes, data.content(batch.item(i)))) {
          throw new AssertionError("item " + batch.item(i) + " has wrong bytes");
        }
        epoch[batch.item(i)]++;
      }
    }
  }

  /** Fails unless each item came exactly once in each of these epochs. */
  synchronized void requireExactlyOnce(int epochs, String what) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      int[] each = counts.getOrDefault(epoch, new int[data.items()]);
      for (int item = 0; item < each.length; item++) {
        if (each[item] != 1) {
          throw new AssertionError(
              what + ": item " + item + " came " + each[item] + " times in epoch " + epoch);
        }
      }
    }
  }
}
