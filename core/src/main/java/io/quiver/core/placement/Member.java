package io.quiver.core.placement;

import java.util.regex.Pattern;

/**
 * A server as placement sees it.
 *
 * @param id its name; two tables agree only when they spell it alike
 * @param weight its share relative to the others: its capacity in a fixed unit
 */
public record Member(String id, int weight) {
  /** Longest name, in characters. */
  public static final int MAX_ID_LENGTH = 255;

  /** Greatest weight. */
  public static final int MAX_WEIGHT = 1 << 24;

  private static final Pattern ALLOWED = Pattern.compile("[!-~]{1," + MAX_ID_LENGTH + "}");

  /** Checks both values. */
  public Member {
    if (!ALLOWED.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "not a member's name: \""
              + id
              + "\"; use 1 to "
              + MAX_ID_LENGTH
              + " printable ASCII characters without spaces");
    }
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "member " + id + " has weight " + weight + "; it must be 1 to " + MAX_WEIGHT);
    }
  }

  /** Returns a member of weight 1. */
  public static Member of(String id) {
    return new Member(id, 1);
  }
}
