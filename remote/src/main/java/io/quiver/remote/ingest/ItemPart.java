package io.quiver.remote.ingest;

import io.quiver.core.hash.ContentHash;
import io.quiver.remote.ingest.Cut.PlannedCut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive items on their way from a worker to the columns, in plain arrays. Plain arrays, no
 * objects.
 */
final class ItemPart {
  private static final int MAX_ITEMS = 4096;
  private static final int MAX_NAME_BYTES = 1 << 18;
  private static final int FIRST_CAPACITY = 16;

  /**
   * The end of an object, or its failure, among the items of a part.
   *
   * @param itemEnd how many of the part's items come before it
   * @param failure why the object could not be finished; null if it was
   */
  record ObjectEnd(PlannedCut cut, int itemEnd, long emptySkipped, @Nullable IOException failure) {}

  byte[] hashes = new byte[FIRST_CAPACITY * ContentHash.BYTES];
  long[] sizes = new long[FIRST_CAPACITY];
  long[] offsets = new long[FIRST_CAPACITY];
  int[] labels = new int[FIRST_CAPACITY];
  int[] nameEnds = new int[FIRST_CAPACITY];
  byte[] names = new byte[0];
  int count;
  int nameBytes;
  final List<ObjectEnd> ends = new ArrayList<>();

  /** True for the last part of its task. */
  boolean last;

  boolean full() {
    return count >= MAX_ITEMS || nameBytes >= MAX_NAME_BYTES;
  }

  /** Returns the approximate bytes of memory that this part occupies. */
  long footprint() {
    return 256L + sizes.length * 56L + names.length + ends.size() * 256L;
  }

  void add(byte[] hash, int hashAt, long size, long offset, int label, byte[] name) {
    if (count == sizes.length) {
      grow();
    }
    if (nameBytes + name.length > names.length) {
      names = Arrays.copyOf(names, Math.max(nameBytes + name.length, 2 * names.length));
    }
    System.arraycopy(hash, hashAt, hashes, count * ContentHash.BYTES, ContentHash.BYTES);
    System.arraycopy(name, 0, names, nameBytes, name.length);
    nameBytes += name.length;
    sizes[count] = size;
    offsets[count] = offset;
    labels[count] = label;
    nameEnds[count++] = nameBytes;
  }

  /** Forgets the items of an object that failed. */
  void dropAfterLastEnd() {
    count = ends.isEmpty() ? 0 : ends.getLast().itemEnd();
    nameBytes = count == 0 ? 0 : nameEnds[count - 1];
  }

  private void grow() {
    int capacity = 2 * sizes.length;
    hashes = Arrays.copyOf(hashes, capacity * ContentHash.BYTES);
    sizes = Arrays.copyOf(sizes, capacity);
    offsets = Arrays.copyOf(offsets, capacity);
    labels = Arrays.copyOf(labels, capacity);
    nameEnds = Arrays.copyOf(nameEnds, capacity);
  }
}
