package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.space.SpaceId;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a server's spaces by name, as a map that does not change. The names are sorted, so
 * that the spaces of a data set are neighbours and a planner passes over a data set that it knows
 * in one step. Servers with the same spaces may share their names.
 */
public final class SpaceSizes extends AbstractMap<String, Long> {
  /** Most spaces of a server. */
  public static final int MAX_SPACES = 1 << 16;

  private final SpaceNames names;
  private final long[] bytes;

  private SpaceSizes(SpaceNames names, long[] bytes) {
    this.names = names;
    this.bytes = bytes;
  }

  /** Sorted names of spaces; equal only to itself. */
  public static final class SpaceNames {
    private final String[] sorted;
    // The first place of each data set, and one past the last place.
    private final int[] firsts;
    private final int[] ranked;
    private final int[] streams;
    // The key of each of these streams.
    private final String[] streamKeys;

    private SpaceNames(String[] sorted) {
      this.sorted = sorted;
      this.firsts =
          IntStream.rangeClosed(0, sorted.length)
              .filter(place ->
                  place == 0
                      || place == sorted.length
                      || !DatasetKey.digits(sorted[place])
                          .equals(DatasetKey.digits(sorted[place - 1])))
              .toArray();
      this.ranked = places(sorted, name -> DatasetKey.parseRanked(name).isPresent());
      @Nullable String[] keys = new String[sorted.length];
      Arrays.setAll(keys, place -> StreamSpaceName.key(sorted[place]));
      this.streams =
          IntStream.range(0, sorted.length).filter(place -> keys[place] != null).toArray();
      this.streamKeys = Arrays.stream(keys).filter(Objects::nonNull).toArray(String[]::new);
    }

    private static int[] places(String[] names, Predicate<String> wanted) {
      return IntStream.range(0, names.length).filter(place -> wanted.test(names[place])).toArray();
    }

    /** Returns these names, each of which occurs once, in order; refuses too many and too long. */
    public static SpaceNames of(Collection<String> names) {
      Bounds.whole("the length of spaces", names.size(), 0, MAX_SPACES);
      for (String name : names) {
        Bounds.whole("the length of a name in spaces", name.length(), 1, SpaceId.MAX_LENGTH);
      }
      return new SpaceNames(names.stream().sorted().toArray(String[]::new));
    }

    /** Returns the name at a place. */
    public String name(int place) {
      return sorted[place];
    }

    /** Returns the place of a name, or a negative number. */
    public int place(String name) {
      return Arrays.binarySearch(sorted, name);
    }

    /** Returns the places of the spaces of all data sets whose digits are not known. */
    public IntStream outside(Predicate<String> known) {
      return IntStream.range(0, firsts.length - 1)
          .filter(i -> !known.test(DatasetKey.digits(sorted[firsts[i]])))
          .flatMap(i -> IntStream.range(firsts[i], firsts[i + 1]));
    }

    /** Returns the places of the spaces that jobs rank, one for each data set they read. */
    public IntStream ranked() {
      return Arrays.stream(ranked);
    }

    /** Takes the space of an access stream. */
    @FunctionalInterface
    public interface StreamPlace {
      /** Takes the key of the stream and the place of the space's name. */
      void take(String key, int place);
    }

    /** Tells the spaces of access streams. */
    public void streams(StreamPlace each) {
      for (int i = 0; i < streams.length; i++) {
        each.take(streamKeys[i], streams[i]);
      }
    }
  }

  /**
   * Returns the bytes of spaces by the place of their names; the array must not change any more.
   */
  public static SpaceSizes of(SpaceNames names, long[] bytes) {
    Bounds.whole("the number of sizes", bytes.length, names.sorted.length, names.sorted.length);
    long sum = 0;
    for (int place = 0; place < bytes.length; place++) {
      long each = bytes[place];
      if (each < 0 || each > Bounds.MAX_BYTES) {
        Bounds.whole("spaces." + names.name(place), each, 0, Bounds.MAX_BYTES);
      }
      sum += each;
      Bounds.whole("the sum of spaces", sum, 0, Bounds.MAX_BYTES);
    }
    return new SpaceSizes(names, bytes);
  }

  /** Returns a copy of the bytes of spaces by name. */
  static SpaceSizes copyOf(@Nullable Map<String, Long> sizes) {
    Map<String, Long> present = Bounds.present("spaces", sizes);
    if (present instanceof SpaceSizes unchanging) {
      return unchanging;
    }
    SpaceNames names = SpaceNames.of(present.keySet());
    long[] bytes = new long[names.sorted.length];
    for (int place = 0; place < bytes.length; place++) {
      String name = names.name(place);
      bytes[place] = Bounds.present("spaces." + name, present.get(name));
    }
    return of(names, bytes);
  }

  /** Returns the names. */
  public SpaceNames names() {
    return names;
  }

  /** Returns the bytes of the space whose name is at a place. */
  public long bytes(int place) {
    return bytes[place];
  }

  @Override
  public int size() {
    return bytes.length;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  @Override
  public @Nullable Long get(@Nullable Object name) {
    int place = name instanceof String text ? names.place(text) : -1;
    return place < 0 ? null : bytes[place];
  }

  @Override
  public Set<Map.Entry<String, Long>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return bytes.length;
      }

      @Override
      public Iterator<Map.Entry<String, Long>> iterator() {
        return IntStream.range(0, bytes.length)
            .mapToObj(place -> Map.entry(names.name(place), bytes[place]))
            .iterator();
      }
    };
  }
}
