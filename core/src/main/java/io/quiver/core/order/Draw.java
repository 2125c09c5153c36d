package io.quiver.core.order;

import java.util.Arrays;

/**
 * The items a job should read for one batch. Until the draw is settled, no other draw of the order
 * names them. An item that {@link #fetch} names several times is read once and delivered as often.
 */
public final class Draw {
  private static final int[] NOTHING = new int[0];

  private final int[] candidates;
  private final int want;
  private final int[] fetch;
  private final int[] spare;
  private final int padding;

  private Draw(int[] candidates, int want, int[] fetch, int[] spare, int padding) {
    this.candidates = candidates;
    this.want = want;
    this.fetch = fetch;
    this.spare = spare;
    this.padding = padding;
  }

  /** Creates a draw of any of some candidates, and of all of some others, the last as padding. */
  static Draw of(int[] candidates, int want, int[] fetch, int padding) {
    return new Draw(candidates, want, fetch, NOTHING, padding);
  }

  /** Creates a draw of all of these items, the last of which are padding. */
  static Draw exactly(int[] fetch, int padding) {
    return new Draw(NOTHING, 0, fetch, NOTHING, padding);
  }

  /** Returns a copy with items to read where candidates are missing. */
  Draw withSpare(int[] items) {
    return new Draw(candidates, want, fetch, items, padding);
  }

  /**
   * Returns items that should be in the cache: any {@link #want} of them will do, the first ones
   * best.
   */
  public int[] candidates() {
    return candidates;
  }

  /** Returns how many of the candidates the batch needs. */
  public int want() {
    return want;
  }

  /** Returns items that the batch needs all of, from the cache or the store. */
  public int[] fetch() {
    return fetch;
  }

  /** Returns items to read from the store, in order, where candidates are missing. */
  public int[] spare() {
    return spare;
  }

  /**
   * Returns the items still to be read when only these candidates were found: all of {@link
   * #fetch}, then as many of the spare items, and after them of the missing candidates, as the
   * batch still needs.
   *
   * @param found candidates that are there, each once
   */
  public int[] missing(int[] found) {
    int lacking = Math.max(0, want - found.length);
    int[] reads = Arrays.copyOf(fetch, fetch.length + lacking);
    int spares = Math.min(lacking, spare.length);
    System.arraycopy(spare, 0, reads, fetch.length, spares);
    fillWithAbsent(found, reads, fetch.length + spares);
    return reads;
  }

  private void fillWithAbsent(int[] found, int[] reads, int from) {
    int[] sorted = found.clone();
    Arrays.sort(sorted);
    int at = from;
    for (int i = 0; at < reads.length; i++) {
      if (Arrays.binarySearch(sorted, candidates[i]) < 0) {
        reads[at++] = candidates[i];
      }
    }
  }

  /** Returns the last items of {@link #fetch}, which only keep all ranks at equal steps. */
  public int[] padding() {
    return Arrays.copyOfRange(fetch, fetch.length - padding, fetch.length);
  }

  /**
   * Returns true if an item is in the padding of this draw. Where orders repeat items it may also
   * be one of the draw's own: {@link #paddingLast} tells the copies apart.
   */
  public boolean isPadding(int item) {
    for (int i = fetch.length - padding; i < fetch.length; i++) {
      if (fetch[i] == item) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns delivered items with padding moved to the end. Of an item that is both padding and the
   * draw's own, the first copies count as its own.
   */
  public int[] paddingLast(int[] delivered) {
    int[] sorted = new int[delivered.length];
    int own = 0;
    int last = delivered.length;
    for (int i = 0; i < delivered.length; i++) {
      if (isPaddingAt(delivered, i)) {
        sorted[--last] = delivered[i];
      } else {
        sorted[own++] = delivered[i];
      }
    }
    return sorted;
  }

  /** Returns how many of the items delivered are padding. */
  public int paddingAmong(int[] delivered) {
    int count = 0;
    for (int i = 0; i < delivered.length; i++) {
      count += isPaddingAt(delivered, i) ? 1 : 0;
    }
    return count;
  }

  private boolean isPaddingAt(int[] delivered, int place) {
    int item = delivered[place];
    if (!isPadding(item)) {
      return false;
    }
    long own =
        copies(item, candidates, candidates.length)
            + copies(item, fetch, fetchedOwn())
            + copies(item, spare, spare.length);
    return copies(item, delivered, place) >= own;
  }

  private static long copies(int item, int[] items, int count) {
    return Arrays.stream(items, 0, count).filter(each -> each == item).count();
  }

  /** Returns the size of the batch this makes, padding included. */
  public int size() {
    return want + fetch.length;
  }

  /** Returns how many items of the epoch the batch takes: its size without padding. */
  int promised() {
    return size() - padding;
  }

  /** Returns how many of the fetched items count, being no padding. */
  int fetchedOwn() {
    return fetch.length - padding;
  }
}
