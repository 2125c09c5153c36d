package io.quiver.remote.ingest;

import io.quiver.remote.NameOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the classes of a data set whose folders are its classes.
 *
 * <p>While objects come in, classes are numbered as they appear; in the end they are numbered by
 * name, as ImageFolder does. The two differ: a listing puts {@code a-b/x} before {@code a/x}, since
 * a dash comes before a slash.
 */
final class ClassTable {
  /** Set in provisional labels, to tell them from labels that items brought with them. */
  static final int PROVISIONAL = 1 << 30;

  private static final int MAX_CLASSES = 1 << 20;

  private final Map<String, Integer> numbers = new HashMap<>();

  /** Returns the provisional label of an object; -1 if it lies in no folder. */
  int labelOf(String objectName) throws IngestException {
    int slash = objectName.indexOf('/');
    if (slash <= 0) {
      return -1;
    }
    int number = numbers.computeIfAbsent(objectName.substring(0, slash), n -> numbers.size());
    if (number >= MAX_CLASSES) {
      throw new IngestException(
          "more than " + MAX_CLASSES + " folders would be classes; digest without labels");
    }
    return number | PROVISIONAL;
  }

  /** Returns true if no object lies in a folder. */
  boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** Returns the names in their final order. */
  List<String> names() {
    List<String> names = new ArrayList<>(numbers.keySet());
    names.sort(NameOrder.UTF_8);
    return names;
  }

  /** Returns the final labels, indexed by provisional label without its mark. */
  int[] finalLabels() {
    List<String> names = names();
    int[] labels = new int[names.size()];
    for (int i = 0; i < labels.length; i++) {
      Integer provisional = numbers.get(names.get(i));
      labels[provisional == null ? 0 : provisional] = i;
    }
    return labels;
  }
}
