package io.quiver.benchmarks.demo.data;

import io.quiver.core.dataset.DatasetDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Finds the item that lies at a place of the store: a digest read backwards. */
final class ItemPlaces {
  private static final int NOWHERE = -1;

  // For each object, the items in it by where they begin.
  private final Map<String, TreeMap<Long, Integer>> objects = new HashMap<>();

  ItemPlaces(DatasetDigest digest) {
    for (int item = 0; item < digest.itemCount(); item++) {
      objects
          .computeIfAbsent(digest.objectName(digest.objectIndex(item)), _ -> new TreeMap<>())
          .put(digest.offset(item), item);
    }
  }

  /** Returns the item that a read from here on is about; negative if it is about none. */
  int item(String object, long offset) {
    TreeMap<Long, Integer> items = objects.get(object);
    Map.Entry<Long, Integer> at = items == null ? null : items.floorEntry(offset);
    return at == null ? NOWHERE : at.getValue();
  }
}
