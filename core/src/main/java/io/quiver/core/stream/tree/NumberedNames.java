package io.quiver.core.stream.tree;

/**
 * Names that differ in one number only, like shard-00017.tar (IGTCache, footnote 4). Learns the
 * form of a directory's names from the first two and watches that all others have it.
 */
final class NumberedNames {
  private static final int MOST_DIGITS = 9;

  private String first = "";
  private String prefix = "";
  private String suffix = "";
  private int width;
  private boolean padded;
  private int seen;
  private boolean broken;
  private int least = Integer.MAX_VALUE;
  private int most = -1;

  /** Notes a name that was not seen before. */
  void note(String name) {
    if (broken) {
      return;
    }
    seen++;
    if (seen == 1) {
      first = name;
    } else if (seen == 2) {
      broken = !learn(first, name);
      first = "";
    }
    if (!broken && seen >= 2) {
      int number = number(name);
      broken = number < 0;
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
  }

  private boolean learn(String one, String other) {
    int from = 0;
    int shorter = Math.min(one.length(), other.length());
    while (from < shorter && one.charAt(from) == other.charAt(from)) {
      from++;
    }
    int back = 0;
    while (back < shorter - from
        && one.charAt(one.length() - 1 - back) == other.charAt(other.length() - 1 - back)) {
      back++;
    }
    while (from > 0 && isDigit(one.charAt(from - 1))) {
      from--;
    }
    while (back > 0 && isDigit(one.charAt(one.length() - back))) {
      back--;
    }
    prefix = one.substring(0, from);
    suffix = one.substring(one.length() - back);
    int length = one.length() - from - back;
    padded = length == other.length() - from - back;
    width = padded ? length : 0;
    int number = number(one);
    least = number;
    most = number;
    return number >= 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns the number in a name; -1 if it has another form. */
  int number(String name) {
    int digits = name.length() - prefix.length() - suffix.length();
    if (broken
        || digits < 1
        || digits > MOST_DIGITS
        || (padded && digits != width)
        || !name.startsWith(prefix)
        || !name.endsWith(suffix)) {
      return -1;
    }
    int number = 0;
    for (int i = prefix.length(); i < prefix.length() + digits; i++) {
      char c = name.charAt(i);
      if (!isDigit(c) || (!padded && i == prefix.length() && c == '0' && digits > 1)) {
        return -1;
      }
      number = 10 * number + (c - '0');
    }
    return number;
  }

  /** Returns the name with a number; empty if it would have another form. */
  String name(int number) {
    String digits = Integer.toString(number);
    if (padded && digits.length() > width) {
      return "";
    }
    return prefix + "0".repeat(Math.max(0, width - digits.length())) + digits + suffix;
  }

  /** Returns true if names have one form and their numbers leave few holes. */
  boolean areDense(int names) {
    final int mostHoles = 4;
    return !broken && seen >= 2 && span() <= (long) mostHoles * names;
  }

  int least() {
    return least;
  }

  /** Returns how many numbers there are from the least to the greatest. */
  long span() {
    return (long) most - least + 1;
  }

  long heldBytes() {
    return 80L + first.length() + prefix.length() + suffix.length();
  }
}
