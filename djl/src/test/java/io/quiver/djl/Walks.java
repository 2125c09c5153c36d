package io.quiver.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.training.dataset.Batch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** Ways through epochs that note which items came. */
final class Walks {
  private Walks() {}

  /** Returns all items of what is left of an epoch, in order; every batch is closed. */
  static List<Integer> items(Iterable<Batch> epoch) {
    List<Integer> items = new ArrayList<>();
    epoch.forEach(batch -> {
      items.addAll(items(batch));
      batch.close();
    });
    return items;
  }

  /** Reads this many batches of an epoch. */
  static List<Integer> items(Iterator<Batch> epoch, int batches) {
    List<Integer> items = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      try (Batch batch = epoch.next()) {
        items.addAll(items(batch));
      }
    }
    return items;
  }

  static List<Integer> items(Batch batch) {
    return batch.getIndices().stream().map(index -> ((Number) index).intValue()).toList();
  }

  static void assertExactlyOnce(List<Integer> items, int count) {
    assertThat(items)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, count).boxed().toList());
  }
}
