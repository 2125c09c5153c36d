package io.quiver.core.order;

/** One bit for each item of a data set, with a count of those set. */
final class ItemBits {
  private final int items;
  private final long[] words;
  private int count;

  ItemBits(int items) {
    this.items = items;
    this.words = new long[(items + 63) >>> 6];
  }

  /** Copies the words of another set; bits beyond the last item must be clear. */
  static ItemBits of(int items, long[] words) {
    ItemBits bits = new ItemBits(items);
    if (words.length != bits.words.length) {
      throw new IllegalArgumentException(
          words.length + " words of bits for " + items + " items; expected " + bits.words.length);
    }
    System.arraycopy(words, 0, bits.words, 0, words.length);
    if (items % 64 != 0 && words[words.length - 1] >>> (items % 64) != 0) {
      throw new IllegalArgumentException("bits are set beyond the last of " + items + " items");
    }
    for (long word : words) {
      bits.count += Long.bitCount(word);
    }
    return bits;
  }

  boolean get(int item) {
    return (words[item >>> 6] >>> item & 1) != 0;
  }

  /** Sets a bit; false if it was set already. */
  boolean set(int item) {
    long bit = 1L << item;
    boolean changed = (words[item >>> 6] & bit) == 0;
    words[item >>> 6] |= bit;
    count += changed ? 1 : 0;
    return changed;
  }

  /** Clears a bit; false if it was clear already. */
  boolean clear(int item) {
    long bit = 1L << item;
    boolean changed = (words[item >>> 6] & bit) != 0;
    words[item >>> 6] &= ~bit;
    count -= changed ? 1 : 0;
    return changed;
  }

  /**
   * Returns the first item from one up to but excluding another whose bit is clear in both sets, or
   * −1.
   */
  static int nextClear(ItemBits one, ItemBits other, int from, int to) {
    if (from >= to) {
      return -1;
    }
    int at = from >>> 6;
    int last = (to - 1) >>> 6;
    long clear = ~(one.words[at] | other.words[at]) & (-1L << from);
    while (clear == 0 && at < last) {
      at++;
      clear = ~(one.words[at] | other.words[at]);
    }
    int item = (at << 6) + Long.numberOfTrailingZeros(clear);
    return clear != 0 && item < to ? item : -1;
  }

  int count() {
    return count;
  }

  int items() {
    return items;
  }

  long[] words() {
    return words.clone();
  }
}
