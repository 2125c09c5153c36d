package io.quiver.core.stream.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The names of a directory that nobody has listed yet, as far as they were seen: each has a number,
 * and a rank among all. When there are too many, the half that was seen first is forgotten.
 */
final class SeenNames {
  private static final int MOST_NAMES = 8192;
  private static final int MOST_TEXT_BYTES = 1 << 20;
  private static final int FIRST_NAMES = 2;
  private static final int FEW_NAMES = 64;
  private static final int NAME_BYTES = 16;
  private static final int OBJECT_BYTES = 150;
  private static final int NOT_ASKED = -2;
  private static final int[] NONE = {};

  private byte[] text = new byte[FIRST_NAMES * NAME_BYTES];
  private int[] ends = new int[FIRST_NAMES];
  private int[] hashes = new int[FIRST_NAMES];
  // The number in each name, once it was asked for.
  private int[] inNames = NONE;
  // Numbers of names plus one, by hash; 0 is free.
  private int[] table = new int[2 * FIRST_NAMES];
  private int size;
  // Numbers below this one are forgotten.
  private int base;
  private int ranked;
  private int[] ranks = NONE;
  // The greatest of the ranked names.
  private int last;
  private NumberedNames numbered = new NumberedNames();

  /** Returns the number of a name, which it keeps until it is forgotten. */
  int number(String path, int from, int to, int nameHash) {
    int hash = (nameHash * 0x9E3779B9) >>> 1;
    int mask = table.length - 1;
    int at = hash & mask;
    while (table[at] != 0) {
      int found = table[at] - 1;
      if (hashes[found] == hash && isAt(found, path, from, to)) {
        return base + found;
      }
      at = (at + 1) & mask;
    }
    return add(path.substring(from, to), hash);
  }

  private boolean isAt(int i, String path, int from, int to) {
    int start = i == 0 ? 0 : ends[i - 1];
    for (int k = 0; k < ends[i] - start; k++) {
      byte ours = text[start + k];
      if (ours < 0) {
        return name(base + i).equals(path.substring(from, to));
      }
      if (k == to - from || ours != path.charAt(from + k)) {
        return false;
      }
    }
    return ends[i] - start == to - from;
  }

  private int add(String name, int hash) {
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    int used = size == 0 ? 0 : ends[size - 1];
    if (size == MOST_NAMES || (size > 1 && used + encoded.length > MOST_TEXT_BYTES)) {
      forgetFirst(size / 2);
      used = size == 0 ? 0 : ends[size - 1];
    }
    numbered.note(name);
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      hashes = Arrays.copyOf(hashes, 2 * size);
      rehash(4 * size);
    }
    if (used + encoded.length > text.length) {
      text = Arrays.copyOf(text, Math.max(2 * text.length, used + encoded.length));
    }
    System.arraycopy(encoded, 0, text, used, encoded.length);
    ends[size] = used + encoded.length;
    hashes[size] = hash;
    put(size);
    return base + size++;
  }

  private void put(int index) {
    int mask = table.length - 1;
    int at = hashes[index] & mask;
    while (table[at] != 0) {
      at = (at + 1) & mask;
    }
    table[at] = index + 1;
  }

  private void rehash(int slots) {
    table = new int[slots];
    for (int i = 0; i < size; i++) {
      put(i);
    }
  }

  /** Forgets the half that was seen first; returns false if there are few names. */
  boolean forgetHalf() {
    if (size < FEW_NAMES) {
      return false;
    }
    forgetFirst(size / 2);
    return true;
  }

  private void forgetFirst(int gone) {
    int cut = ends[gone - 1];
    int used = ends[size - 1];
    text = Arrays.copyOfRange(text, cut, used);
    int places = places(size - gone);
    ends = Arrays.copyOfRange(ends, gone, gone + places);
    hashes = Arrays.copyOfRange(hashes, gone, gone + places);
    inNames = NONE;
    size -= gone;
    base += gone;
    for (int i = 0; i < size; i++) {
      ends[i] -= cut;
    }
    rehash(2 * places);
    ranked = 0;
    ranks = NONE;
    numbered = new NumberedNames();
    for (int i = 0; i < size; i++) {
      numbered.note(name(base + i));
    }
  }

  /** Returns how many places of arrays so many names need. */
  private static int places(int names) {
    return Math.max(FIRST_NAMES, Integer.highestOneBit(names) << 1);
  }

  /** Returns how many names are known. */
  int size() {
    return size;
  }

  NumberedNames numbered() {
    return numbered;
  }

  /** Returns the name with a number; empty if it was forgotten. */
  String name(int number) {
    int i = number - base;
    if (i < 0) {
      return "";
    }
    int start = i == 0 ? 0 : ends[i - 1];
    return new String(text, start, ends[i] - start, StandardCharsets.UTF_8);
  }

  /** Returns the number in a name, if names are numbered; -1 if it has none. */
  int inName(int number) {
    int i = number - base;
    if (i < 0) {
      return -1;
    }
    if (i >= inNames.length) {
      int known = inNames.length;
      inNames = Arrays.copyOf(inNames, ends.length);
      Arrays.fill(inNames, known, inNames.length, NOT_ASKED);
    }
    if (inNames[i] == NOT_ASKED) {
      inNames[i] = numbered.number(name(number));
    }
    return inNames[i];
  }

  /** Ranks all names anew. */
  void rank() {
    if (ranked == size) {
      return;
    }
    Integer[] fresh = new Integer[size - ranked];
    Arrays.setAll(fresh, i -> ranked + i);
    Arrays.sort(fresh, this::compare);
    boolean after = ranked > 0 && compare(last, fresh[0]) < 0;
    int[] sorted = after ? new int[0] : merged(fresh);
    int from = after ? ranked : 0;
    ranks = ranks.length >= size ? ranks : Arrays.copyOf(ranks, ends.length);
    for (int i = from; i < size; i++) {
      ranks[after ? fresh[i - from] : sorted[i]] = i;
    }
    last = after ? fresh[fresh.length - 1] : sorted[size - 1];
    ranked = size;
  }

  /** Merges names into those that are ranked already. */
  private int[] merged(Integer[] fresh) {
    int[] old = new int[ranked];
    for (int i = 0; i < ranked; i++) {
      old[ranks[i]] = i;
    }
    int[] sorted = new int[size];
    int a = 0;
    int b = 0;
    for (int i = 0; i < size; i++) {
      boolean isOld = b == fresh.length || (a < old.length && compare(old[a], fresh[b]) < 0);
      sorted[i] = isOld ? old[a++] : fresh[b++];
    }
    return sorted;
  }

  private int compare(int one, int other) {
    int oneStart = one == 0 ? 0 : ends[one - 1];
    int otherStart = other == 0 ? 0 : ends[other - 1];
    return Arrays.compareUnsigned(text, oneStart, ends[one], text, otherStart, ends[other]);
  }

  /** Returns the rank that a name had when all were ranked last; its number if it is newer. */
  int rank(int number) {
    int i = number - base;
    return i < 0 ? 0 : i < ranked ? ranks[i] : i;
  }

  long heldBytes() {
    return OBJECT_BYTES
        + text.length
        + (long) Integer.BYTES
            * (ends.length + hashes.length + inNames.length + table.length + ranks.length)
        + numbered.heldBytes();
  }
}
