package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamWindow.Indexing;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tells where the items below each child begin when all items below a directory are counted in
 * order. Of children that are streams the number of items is known. All others are taken to have as
 * many as these on average if most reads go to streams, else to be single files. Never changes.
 */
final class ChildBases {
  /** Every child is one item. */
  static final ChildBases PLAIN = new ChildBases(new int[0], new long[0], 1);

  private static final int OBJECT_BYTES = 64;

  private final int[] children;

  // The items that the children up to each one have beyond the usual number.
  private final long[] excess;
  private final long usual;

  private ChildBases(int[] children, long[] excess, long usual) {
    this.children = children;
    this.excess = excess;
    this.usual = usual;
  }

  /** Counts what is below each child of a node. */
  static ChildBases of(StreamNode node) {
    int count = node.links.children();
    if (count == 0) {
      return PLAIN;
    }
    Indexing rule = node.order().indexing();
    long[] byIndex = new long[count];
    long[] items = new long[count];
    long all = 0;
    int at = 0;
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null;
        child = child.links.next()) {
      items[at] = Math.max(1, child.numbers.items());
      all += items[at];
      byIndex[at] = ((long) node.order().index(child.slot(), rule) << Integer.SIZE) | at;
      at++;
    }
    long usual = node.reads.areInStreams() ? Math.max(1, all / count) : 1;
    Arrays.sort(byIndex);
    int[] children = new int[count];
    long[] excess = new long[count];
    long sum = 0;
    for (int i = 0; i < count; i++) {
      children[i] = (int) (byIndex[i] >>> Integer.SIZE);
      sum += items[(int) byIndex[i]] - usual;
      excess[i] = sum;
    }
    return new ChildBases(children, excess, usual);
  }

  /** Returns true if every child is one item. */
  boolean isPlain() {
    return children.length == 0;
  }

  /** Returns the place of the first item below a child. */
  long base(int index) {
    int before = Arrays.binarySearch(children, index);
    int at = before >= 0 ? before - 1 : -2 - before;
    return Math.max(0, index * usual + (at < 0 ? 0 : excess[at]));
  }

  /** Returns how many items all children have. */
  long total(int population) {
    long more = excess.length == 0 ? 0 : excess[excess.length - 1];
    return Math.max(population, population * usual + more);
  }

  long heldBytes() {
    return isPlain() ? 0 : OBJECT_BYTES + (long) (Integer.BYTES + Long.BYTES) * children.length;
  }
}
