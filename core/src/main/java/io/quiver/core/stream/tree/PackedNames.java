package io.quiver.core.stream.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A sorted run of a directory's names with the lengths of its files, packed into a few arrays: a
 * million entries must not be a million objects. The beginning that all names share is kept once.
 * Never changes.
 */
final class PackedNames {
  private static final int DIRECTORY = -1;
  private static final int HEADERS_BYTES = 112;
  private static final int ASCII = 0x80;

  /** Lengths from 2 GiB on are kept in units of 4 KiB, rounded down. */
  private static final int LARGE_UNIT = 4096;

  // The first characters of all names; ASCII.
  private final String shared;

  // The rest of each name, in UTF-8, and where it ends.
  private final byte[] text;
  private final int[] ends;
  private final int[] lengths;
  private final long fileBytes;
  private final int directories;

  private PackedNames(String shared, byte[] text, int[] ends, int[] lengths) {
    this.shared = shared;
    this.text = text;
    this.ends = ends;
    this.lengths = lengths;
    long total = 0;
    int without = 0;
    for (int i = 0; i < lengths.length; i++) {
      total += bytes(i);
      without += isDirectory(i) ? 1 : 0;
    }
    this.fileBytes = total;
    this.directories = without;
  }

  /** Packs names that are sorted, each with the length of its file; -1 for a directory. */
  static PackedNames of(List<String> names, long[] bytes) {
    int[] lengths = new int[names.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = packed(bytes[i]);
    }
    return of(names, lengths);
  }

  private static PackedNames of(List<String> names, int[] lengths) {
    String shared = names.isEmpty() ? "" : shared(names.getFirst(), names.getLast());
    byte[][] encoded = new byte[lengths.length][];
    int[] ends = new int[lengths.length];
    int size = 0;
    for (int i = 0; i < lengths.length; i++) {
      encoded[i] = names.get(i).substring(shared.length()).getBytes(StandardCharsets.UTF_8);
      size += encoded[i].length;
      ends[i] = size;
    }
    byte[] text = new byte[size];
    for (int i = 0, at = 0; i < encoded.length; at = ends[i++]) {
      System.arraycopy(encoded[i], 0, text, at, encoded[i].length);
    }
    return new PackedNames(shared, text, ends, lengths);
  }

  /** Returns the beginning of two names, and so of all between them. */
  private static String shared(String first, String last) {
    int most = Math.min(first.length(), last.length());
    int common = 0;
    while (common < most
        && first.charAt(common) == last.charAt(common)
        && first.charAt(common) < ASCII) {
      common++;
    }
    return first.substring(0, common);
  }

  private static int packed(long bytes) {
    if (bytes < 0) {
      return DIRECTORY;
    }
    return bytes <= Integer.MAX_VALUE
        ? (int) bytes
        : (int) Math.max(Integer.MIN_VALUE, DIRECTORY - bytes / LARGE_UNIT);
  }

  int size() {
    return ends.length;
  }

  String name(int i) {
    int start = start(i);
    return shared + new String(text, start, ends[i] - start, StandardCharsets.UTF_8);
  }

  boolean isDirectory(int i) {
    return lengths[i] == DIRECTORY;
  }

  /** Returns the length of a file, at most 4 KiB too short; 0 for a directory. */
  long bytes(int i) {
    int length = lengths[i];
    return length >= 0 ? length : (long) (DIRECTORY - length) * LARGE_UNIT;
  }

  /** Returns the lengths of all files together. */
  long fileBytes() {
    return fileBytes;
  }

  int directories() {
    return directories;
  }

  /** Returns the place of a part of a path; else -1 less the place where it would be. */
  int find(String path, int from, int to) {
    int low = 0;
    int high = ends.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(middle, path, from, to);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  /** Compares a name with a part of a path, in the order of strings. */
  int compare(int i, String path, int from, int to) {
    int before = shared.length();
    int start = start(i);
    int length = before + ends[i] - start;
    int common = Math.min(length, to - from);
    for (int k = 0; k < common; k++) {
      int ours = k < before ? shared.charAt(k) : text[start + k - before];
      char theirs = path.charAt(from + k);
      if (ours < 0 || theirs >= ASCII) {
        return name(i).compareTo(path.substring(from, to));
      }
      if (ours != theirs) {
        return ours - theirs;
      }
    }
    return length - (to - from);
  }

  /** Returns true if these are the same names and lengths as a part of others. */
  boolean isAt(PackedNames others, int at) {
    if (at + ends.length > others.ends.length) {
      return false;
    }
    boolean alike = shared.equals(others.shared);
    for (int i = 0; i < ends.length; i++) {
      if (lengths[i] != others.lengths[at + i]
          || !(alike ? isRest(i, others, at + i) : name(i).equals(others.name(at + i)))) {
        return false;
      }
    }
    return true;
  }

  private boolean isRest(int i, PackedNames others, int at) {
    return Arrays.equals(text, start(i), ends[i], others.text, others.start(at), others.ends[at]);
  }

  /** Returns a part of these names. */
  PackedNames part(int from, int to) {
    int start = from == to ? 0 : start(from);
    int end = from == to ? 0 : ends[to - 1];
    int[] moved = Arrays.copyOfRange(ends, from, to);
    for (int i = 0; i < moved.length; i++) {
      moved[i] -= start;
    }
    return new PackedNames(
        shared, Arrays.copyOfRange(text, start, end), moved, Arrays.copyOfRange(lengths, from, to));
  }

  /** Returns these names and others that come after all of them. */
  PackedNames and(PackedNames after) {
    String[] names = new String[ends.length + after.ends.length];
    int[] all = Arrays.copyOf(lengths, names.length);
    System.arraycopy(after.lengths, 0, all, ends.length, after.lengths.length);
    for (int i = 0; i < names.length; i++) {
      names[i] = i < ends.length ? name(i) : after.name(i - ends.length);
    }
    return of(List.of(names), all);
  }

  /** Returns the memory this takes. */
  long heldBytes() {
    return HEADERS_BYTES
        + shared.length()
        + text.length
        + (long) Integer.BYTES * (ends.length + lengths.length);
  }

  private int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }
}
