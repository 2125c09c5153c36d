package io.quiver.core.stream.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A sorted run of a directory's names with the lengths of its files, packed into three arrays: a
 * million entries must not be a million objects. Never changes.
 */
final class PackedNames {
  private static final int DIRECTORY = -1;
  private static final int HEADERS_BYTES = 96;

  /** Lengths from 2 GiB on are kept in units of 4 KiB, rounded down. */
  private static final int LARGE_UNIT = 4096;

  private final byte[] text;
  private final int[] ends;
  private final int[] lengths;
  private final long fileBytes;
  private final int directories;

  private PackedNames(byte[] text, int[] ends, int[] lengths) {
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
  static PackedNames of(List<String> names, long[] bytes, int from, int to) {
    byte[][] encoded = new byte[to - from][];
    int[] ends = new int[to - from];
    int[] lengths = new int[to - from];
    int size = 0;
    for (int i = from; i < to; i++) {
      encoded[i - from] = names.get(i).getBytes(StandardCharsets.UTF_8);
      size += encoded[i - from].length;
      ends[i - from] = size;
      lengths[i - from] = packed(bytes[i]);
    }
    byte[] text = new byte[size];
    for (int i = 0, at = 0; i < encoded.length; at = ends[i++]) {
      System.arraycopy(encoded[i], 0, text, at, encoded[i].length);
    }
    return new PackedNames(text, ends, lengths);
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
    return new String(text, start, ends[i] - start, StandardCharsets.UTF_8);
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
    int start = start(i);
    int length = ends[i] - start;
    int common = Math.min(length, to - from);
    for (int k = 0; k < common; k++) {
      byte ours = text[start + k];
      char theirs = path.charAt(from + k);
      if (ours < 0 || theirs >= 0x80) {
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
    for (int i = 0; i < ends.length; i++) {
      int theirs = others.start(at + i);
      if (lengths[i] != others.lengths[at + i]
          || !Arrays.equals(text, start(i), ends[i], others.text, theirs, others.ends[at + i])) {
        return false;
      }
    }
    return true;
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
        Arrays.copyOfRange(text, start, end), moved, Arrays.copyOfRange(lengths, from, to));
  }

  /** Returns these names and others that come after all of them. */
  PackedNames and(PackedNames after) {
    byte[] all = Arrays.copyOf(text, text.length + after.text.length);
    System.arraycopy(after.text, 0, all, text.length, after.text.length);
    int[] allEnds = Arrays.copyOf(ends, ends.length + after.ends.length);
    int[] allLengths = Arrays.copyOf(lengths, allEnds.length);
    for (int i = 0; i < after.ends.length; i++) {
      allEnds[ends.length + i] = text.length + after.ends[i];
      allLengths[ends.length + i] = after.lengths[i];
    }
    return new PackedNames(all, allEnds, allLengths);
  }

  /** Returns the memory this takes. */
  long heldBytes() {
    return HEADERS_BYTES + text.length + (long) Integer.BYTES * (ends.length + lengths.length);
  }

  private int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }
}
