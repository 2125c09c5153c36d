package io.quiver.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the words that a mistyped one may stand for. */
final class Similar {
  private static final int MOST = 3;

  private Similar() {}

  /** The nearest words, the nearest first; none if all are too far off. */
  static List<String> to(String typed, Collection<String> words) {
    int bound = typed.length() <= 3 ? 1 : typed.length() <= 6 ? 2 : 3;
    return words.stream()
        .filter(word -> distance(typed, word) <= bound)
        .sorted(Comparator.comparingInt((String word) -> distance(typed, word)))
        .limit(MOST)
        .toList();
  }

  /** Returns the number of letters to add, remove or exchange. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int exchanged = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
