package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import org.jspecify.annotations.Nullable;

/**
 * Numbers all items below one stream in their order: the blocks of a file, or the files of a
 * directory and of all directories in it. Turns reads into windows of such numbers.
 */
final class ItemNumbers {
  private static final int OBJECT_BYTES = 56;

  /** The children of a directory. */
  final ChildOrder order = new ChildOrder();

  private final boolean isFile;
  private ChildBases bases = ChildBases.PLAIN;
  private int blocks;

  ItemNumbers(boolean isFile) {
    this.isFile = isFile;
  }

  /** Notes how many blocks a file has. */
  void blocks(int count) {
    blocks = Math.max(blocks, count);
  }

  /** Numbers anew, after reads have shown new children. */
  void rebuild(StreamNode node) {
    order.rank();
    bases = ChildBases.of(node);
  }

  /** Takes each child for one item until it numbers anew. */
  void forget() {
    bases = ChildBases.PLAIN;
  }

  /** Returns how many items there are, as far as can be told by their order. */
  long items() {
    return isFile ? blocks : bases.total(order.population(order.indexing()));
  }

  /** Returns the number of an item by the slot of its child and its number below that. */
  int number(int slot, int below) {
    return isFile ? slot : number(order.index(slot, order.indexing()), (long) below);
  }

  private int number(int index, long below) {
    return (int) Math.min(Integer.MAX_VALUE, bases.base(index) + below);
  }

  /** Returns a window of the latest items that were read; ages are as of a time. */
  StreamWindow items(ReadRing ring, int most, int nowMillis) {
    if (isFile) {
      return WindowMaker.window(
          ring, most, Indexing.LISTED, blocks, (slot, rule) -> slot, (i, below) -> i, nowMillis);
    }
    int population = (int) Math.min(Integer.MAX_VALUE, items());
    StreamWindow window =
        WindowMaker.window(
            ring,
            most,
            order.indexing(),
            population,
            order::index,
            (index, below) -> number(index, (long) below),
            nowMillis);
    return bases.isPlain()
        ? window
        : new StreamWindow(
            Indexing.SEEN,
            window.population(),
            window.indices(),
            window.readers(),
            window.agesMillis());
  }

  /** Returns a window of the latest children that readers went over to. */
  StreamWindow children(@Nullable ReadRing ring, int most) {
    Indexing rule = order.indexing();
    return WindowMaker.window(
        ring == null ? new ReadRing(0) : ring,
        most,
        rule,
        order.population(rule),
        order::index,
        (index, below) -> index,
        0);
  }

  /** Returns the bytes this takes, without the names of children. */
  long heldBytes() {
    return OBJECT_BYTES + bases.heldBytes();
  }
}
