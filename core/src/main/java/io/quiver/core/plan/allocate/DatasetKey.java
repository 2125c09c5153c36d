package io.quiver.core.plan.allocate;

import io.quiver.core.bound.Bounds;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a data set in plans and in the names of its spaces: the first 16 hex digits of its
 * identity. It names the whole data set and opens none of its items.
 *
 * @param text 16 hex digits
 */
public record DatasetKey(String text) implements Tenant, Comparable<DatasetKey> {
  /** The beginning of the names of all planned spaces. */
  public static final String SPACE_PREFIX = "ds-";

  private static final int DIGITS = 16;
  private static final Pattern TEXT = Pattern.compile("[0-9a-f]{" + DIGITS + "}");
  private static final Pattern SPACE =
      Pattern.compile(SPACE_PREFIX + "([0-9a-f]{" + DIGITS + "})\\.(\\d{1,5})\\.(\\d{1,5})");

  private static final String RANKED_SUFFIX = ".ranked";
  private static final Pattern RANKED =
      Pattern.compile(SPACE_PREFIX + "([0-9a-f]{" + DIGITS + "})\\.ranked");

  /** Checks the digits. */
  public DatasetKey {
    Bounds.matching("the key of a data set", text, TEXT, DIGITS + " hex digits");
  }

  /** Returns the key of the data set of this identity. */
  public static DatasetKey of(ContentHash identity) {
    return new DatasetKey(HexFormat.of().toHexDigits(identity.prefix()));
  }

  /** Returns the space of a chunk when the data set is divided into so many. */
  public SpaceId space(int chunks, int chunk) {
    return new SpaceId(SPACE_PREFIX + text + "." + chunks + "." + chunk);
  }

  /** Returns the space of what jobs that read by importance keep of the data set. */
  public SpaceId rankedSpace() {
    return new SpaceId(SPACE_PREFIX + text + RANKED_SUFFIX);
  }

  /** Returns the data set whose ranked blobs a space holds; empty for any other space. */
  public static Optional<DatasetKey> parseRanked(String space) {
    if (!space.endsWith(RANKED_SUFFIX)) {
      return Optional.empty(); // most spaces are chunks, and every name is asked
    }
    Matcher matcher = RANKED.matcher(space);
    return matcher.matches() ? Optional.of(new DatasetKey(matcher.group(1))) : Optional.empty();
  }

  /** Returns the chunk that a space is named after; empty for a space no plan made. */
  public static Optional<ChunkSpace> parse(String space) {
    Matcher matcher = SPACE.matcher(space);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new ChunkSpace(
            new DatasetKey(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3))));
  }

  /** Returns the digits that a space is named by, without a check; empty for a shorter name. */
  public static String digits(String space) {
    int end = SPACE_PREFIX.length() + DIGITS;
    return space.length() < end ? "" : space.substring(SPACE_PREFIX.length(), end);
  }

  /** A chunk of a data set, as the name of its space tells. */
  public record ChunkSpace(DatasetKey dataset, int chunks, int chunk) {}

  @Override
  public int compareTo(DatasetKey other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
