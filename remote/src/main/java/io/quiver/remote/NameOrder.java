package io.quiver.remote;

import java.util.Comparator;

/**
 * The order of object names in every listing: that of their UTF-8 bytes, which is that of their
 * code points. {@link String#compareTo} differs from it where a name holds characters beyond the
 * basic plane.
 */
public final class NameOrder {
  /** Compares two names as their UTF-8 bytes compare. */
  public static final Comparator<String> UTF_8 = NameOrder::compare;

  private NameOrder() {}

  private static int compare(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        return Integer.compare(rank(a), rank(b));
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /** Lifts surrogates, which stand for the code points beyond all others, above the rest. */
  private static int rank(char unit) {
    return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
  }
}
