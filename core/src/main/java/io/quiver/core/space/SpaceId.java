package io.quiver.core.space;

import java.util.regex.Pattern;

/**
 * The name of a space, for example {@code default} or {@code imagenet.chunk-3}.
 *
 * <p>Names become folder names on a server's disks and labels of its metrics, hence the narrow
 * alphabet.
 */
public record SpaceId(String name) implements Comparable<SpaceId> {
  /** Longest name, in characters. */
  public static final int MAX_LENGTH = 100;

  private static final Pattern ALLOWED =
      Pattern.compile("[a-z0-9][a-z0-9._-]{0," + (MAX_LENGTH - 1) + "}");

  /** The space of blobs for which no other is named. */
  public static final SpaceId DEFAULT = new SpaceId("default");

  /** Checks the name. */
  public SpaceId {
    if (!ALLOWED.matcher(name).matches()) {
      String shown = name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) + "…" : name;
      throw new IllegalArgumentException(
          "not a space name: \""
              + shown
              + "\"; use 1 to "
              + MAX_LENGTH
              + " of a-z, 0-9, '.', '_' and '-', beginning with a letter or a digit");
    }
  }

  @Override
  public int compareTo(SpaceId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
